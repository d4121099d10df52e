# cpack -G DEB: a package for Debian 12. What the programs load is found by dpkg-shlibdeps; what they read is not.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME busfare)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The busfare developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "which loop nests of C and C++ are worth moving to a GPU, transfers included")
set(CPACK_PACKAGE_DESCRIPTION "busfare reads CPU C and C++, finds the loop nests that may run in parallel and what must cross
between host and device, prices transfers, kernels and the CPU with published models, and says port,
keep or measure first, with its reasons. It needs no GPU and does not run the program.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Clang's own headers, without which nothing can be parsed.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-${LLVM_VERSION_MAJOR}-dev")
# Headers of the language and of OpenMP; compilers and libomptarget for verify and measure.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++, clang-${LLVM_VERSION_MAJOR}, clang-tools-${LLVM_VERSION_MAJOR}, libomp-${LLVM_VERSION_MAJOR}-dev")
include(CPack)
