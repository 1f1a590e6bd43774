# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What `cmake --install` adds to the programs: the desktop entry, the MIME type, man pages, completions and documents, at Debian's places;
# and the package that `cpack` makes of it all.
include(GNUInstallDirs)
set(packaging ${PROJECT_SOURCE_DIR}/resources/packaging)
set(FXS_MAINTAINER "fxscope maintainers <maintainers@fxscope.invalid>" CACHE STRING "Whom the package names as its maintainer")

if(FXS_GUI)
  install(FILES ${packaging}/fxscope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT desktop)
  install(FILES ${packaging}/fxscope.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages COMPONENT desktop)
  install(FILES ${PROJECT_SOURCE_DIR}/resources/icons/app.svg RENAME fxscope.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT desktop)
endif()
install(FILES ${PROJECT_SOURCE_DIR}/resources/python/fxscope_capture.py ${PROJECT_SOURCE_DIR}/resources/output_types.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fxscope COMPONENT desktop)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/resources/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/fxscope COMPONENT desktop)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/samples DESTINATION ${CMAKE_INSTALL_DATADIR}/fxscope COMPONENT desktop
        FILES_MATCHING PATTERN "*.pt2" PATTERN "*.mlir" PATTERN "*.fxreg" PATTERN "kernels/*.json" PATTERN "sweep" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT desktop)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${packaging}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT desktop)
install(FILES ${packaging}/lintian-overrides RENAME fxscope DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT desktop)

# Debian's own changelog; SOURCE_DATE_EPOCH sets its date.
set(FXS_PRINTED ${PROJECT_BINARY_DIR}/packaging)
string(TIMESTAMP FXS_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${packaging}/changelog.in ${FXS_PRINTED}/changelog @ONLY)
file(ARCHIVE_CREATE OUTPUT ${FXS_PRINTED}/changelog.gz PATHS ${FXS_PRINTED}/changelog FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
install(FILES ${FXS_PRINTED}/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT desktop)

set(documented fxscope-cli $<$<BOOL:${FXS_GUI}>:fxscope>)
install(CODE "set(FXS_CLI [[$<TARGET_FILE:fxscope-cli>]])
set(FXS_PROGRAMS [[${documented}]])
set(FXS_OUT [[${FXS_PRINTED}]])
set(FXS_DATADIR [[${CMAKE_INSTALL_DATADIR}]])" COMPONENT desktop)
install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/InstallPrinted.cmake COMPONENT desktop)

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME fxscope)
set(CPACK_PACKAGE_VENDOR fxscope)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "viewer for the lowering of PyTorch programs to MLIR")
set(CPACK_PACKAGE_DESCRIPTION
"fxscope opens a program that torch.export.save wrote and shows, side by side,
the FX graph, the metadata of its nodes, and the MLIR of every stage and pass
down to linalg, TOSA or StableHLO, and why it stops where it does not lower.
.
The program fxscope-cli gives the same answers to scripts. MLIR is lowered by
torch-mlir-opt, which 'fxscope-cli engine fetch' downloads.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL programs desktop)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${FXS_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(FXS_GUI)
  # Plugins of Qt, which are found at run time.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "qt6-qpa-plugins, libqt6svg6")
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-pip, fonts-dejavu-core")
include(CPack)
