//===- runtime-bench/watch/Tool.c - What libomptarget tells a tool --------===//
// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// libomp looks for ompt_start_tool in the program when it starts. Every allocation,
// transfer and release on a device comes as a data operation, omp_target_memcpy and
// each row of omp_target_memcpy_rect included, with both addresses and the bytes.
// Programs without OpenMP never call any of this.
//
//===----------------------------------------------------------------------===//

#include "runtime-bench/watch/Watching.h"
#include <omp-tools.h>

static void onDataOperation(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target, ompt_id_t *id,
                            ompt_target_data_op_t operation, void *source, int sourceDevice, void *destination,
                            int destinationDevice, size_t bytes, const void *code) {
  (void)task, (void)target, (void)id, (void)sourceDevice, (void)destinationDevice, (void)code;
  bool toDevice = operation == ompt_target_data_transfer_to_device || operation == ompt_target_data_transfer_to_device_async;
  bool fromDevice =
      operation == ompt_target_data_transfer_from_device || operation == ompt_target_data_transfer_from_device_async;
  uintptr_t host = (uintptr_t)(toDevice ? source : destination), device = (uintptr_t)(toDevice ? destination : source);
  if (toDevice || fromDevice)
    (endpoint == ompt_scope_end ? busfareMoved : busfareMoving)(toDevice, host, device, bytes);
  if (endpoint != ompt_scope_end)
    return;
  switch (operation) {
  case ompt_target_data_alloc:
  case ompt_target_data_alloc_async:
    busfareMapped((uintptr_t)source, (uintptr_t)destination, bytes);
    break;
  case ompt_target_data_delete:
  case ompt_target_data_delete_async:
    busfareUnmapped((uintptr_t)source);
    break;
  default:
    break;
  }
}

static void onSubmit(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *id, unsigned teams) {
  (void)target, (void)id, (void)teams;
  busfareKernel(endpoint == ompt_scope_begin);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  (void)device, (void)data;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  if (!set || set(ompt_callback_target_data_op_emi, (ompt_callback_t)onDataOperation) != ompt_set_always ||
      set(ompt_callback_target_submit_emi, (ompt_callback_t)onSubmit) != ompt_set_always)
    busfareStop("this libomp does not tell a tool what crosses to the device");
  return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  (void)version, (void)runtime;
  BUSFARE_STATE static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
