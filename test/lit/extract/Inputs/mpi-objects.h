// The few declarations of MPI that the tests call, in the style of Open MPI: handles are pointers to objects.
#ifndef MPI_OBJECTS_H
#define MPI_OBJECTS_H
#ifdef __cplusplus
extern "C" {
#endif
typedef struct communicator_t *MPI_Comm;
typedef struct datatype_t *MPI_Datatype;
typedef struct op_t *MPI_Op;
typedef struct request_t *MPI_Request;
typedef struct window_t *MPI_Win;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
struct predefined_t { int filler[4]; };
extern struct predefined_t ompi_mpi_comm_world, ompi_mpi_double, ompi_mpi_float, ompi_mpi_int, ompi_mpi_byte, ompi_mpi_op_sum;
#define PREDEFINED(type, object) ((type)((void *)&(object)))
#define MPI_COMM_WORLD PREDEFINED(MPI_Comm, ompi_mpi_comm_world)
#define MPI_DOUBLE PREDEFINED(MPI_Datatype, ompi_mpi_double)
#define MPI_FLOAT PREDEFINED(MPI_Datatype, ompi_mpi_float)
#define MPI_INT PREDEFINED(MPI_Datatype, ompi_mpi_int)
#define MPI_BYTE PREDEFINED(MPI_Datatype, ompi_mpi_byte)
#define MPI_SUM PREDEFINED(MPI_Op, ompi_mpi_op_sum)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)1)
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Barrier(MPI_Comm);
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Waitany(int, MPI_Request *, int *, MPI_Status *);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Scatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Type_vector(int, int, int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_commit(MPI_Datatype *);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
int MPI_Get(void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
int MPI_Win_fence(int, MPI_Win);
#ifdef __cplusplus
}
#endif
#endif
