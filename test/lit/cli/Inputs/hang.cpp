// Takes minutes with -fconstexpr-steps=4294967295.
constexpr unsigned long spin() {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < 4000000000ul; ++i)
    sum += i;
  return sum;
}
constexpr unsigned long never = spin();
