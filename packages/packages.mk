# What the hub is installed from; docs/install.md says how. The results are in .build/packages.
PACKAGE_TOOLS = dpkg-dev xz-utils binutils git
.PHONY: package-tools package-program deb
package-tools: packages
	$(call install,$(PACKAGE_TOOLS))
package-program: toolchain package-tools phone
	@packages/build.sh

deb: package-program ## Builds the Debian package, with Swift's library inside
	@packages/deb.sh
