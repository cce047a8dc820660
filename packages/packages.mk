# What the hub is installed from; docs/install.md says how. The results are in .build/packages.
PACKAGE_TOOLS = dpkg-dev xz-utils binutils git
TARBALL_TOOLS = gcc libc6-dev patchelf
IMAGE_TOOLS = mmdebstrap buildah uidmap

.PHONY: package-tools package-program deb tarball image reproducible
package-tools: packages
	$(call install,$(PACKAGE_TOOLS))
package-program: toolchain package-tools phone
	@packages/build.sh

deb: package-program ## Builds the Debian package, with Swift's library inside
	@packages/deb.sh

tarball: package-program ## Builds the folder that runs without installation
	$(call install,$(TARBALL_TOOLS))
	@packages/tarball.sh

image: deb ## Builds the container image from the Debian package, without a registry
	$(call install,$(IMAGE_TOOLS))
	@packages/image.sh

reproducible: toolchain package-tools ## Builds deb and tarball in two folders: the same bytes?
	$(call install,$(TARBALL_TOOLS))
	@packages/reproducible.sh
