# SPDX-License-Identifier: MIT
# Finds METIS and defines the target METIS::METIS.
#
# METIS_ROOT (or CMAKE_PREFIX_PATH) names an installation of one's own, for example a build with
# 64-bit ids; the width of ids and weights is read from its metis.h when Weft is compiled and
# checked against the library when METIS is first called (partition/metis.cpp).
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)

if(METIS_INCLUDE_DIR AND EXISTS ${METIS_INCLUDE_DIR}/metis.h)
  file(STRINGS ${METIS_INCLUDE_DIR}/metis.h metis_lines
       REGEX "^#define METIS_VER_(MAJOR|MINOR|SUBMINOR)[ \t]+[0-9]+")
  string(REGEX REPLACE "[^0-9;]" "" metis_numbers "${metis_lines}")
  string(REPLACE ";" "." METIS_VERSION "${metis_numbers}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(METIS REQUIRED_VARS METIS_LIBRARY METIS_INCLUDE_DIR
                                        VERSION_VAR METIS_VERSION)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)

if(METIS_FOUND AND NOT TARGET METIS::METIS)
  add_library(METIS::METIS UNKNOWN IMPORTED)
  set_target_properties(METIS::METIS PROPERTIES
    IMPORTED_LOCATION ${METIS_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})
endif()
