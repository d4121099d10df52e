template <class T> struct Stream {
  virtual void triad() = 0;
  virtual ~Stream() {}
};
template <class T> struct Serial : Stream<T> {
  int n;
  T *a, *b, *c;
  Serial(int n);
  ~Serial();
  void triad() override;
};
