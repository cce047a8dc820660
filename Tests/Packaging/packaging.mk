# What the packages do on fresh Debian machines, and two people who get to a call by them. Included by the Makefile.
#
#   make test-packaging                     deb, folder and image, in about five minutes
#   make test-two-people                    from nothing to a heard call, by four ways, in about three minutes
#   make test-packaging PACKAGING_FLAGS="-k folder"
#
# As root: the machines are booted in namespaces. Roots of Debian are in .build/packages/roots for half a day.

PACKAGING_FLAGS ?=
PACKAGING_PACKAGES = mmdebstrap systemd-container iproute2 util-linux lintian podman crun curl openssl
PEOPLE_PACKAGES = libnss3-tools caddy pebble chromium
PACKAGING_TEST = .build/venv/bin/pytest -c Tests/Packaging/pytest.ini $(PACKAGING_FLAGS)

.PHONY: test-packaging test-two-people packaging-packages
packaging-packages: test-python
	@test "$$(id -u)" = 0 || { echo "These tests boot machines in namespaces: run them as root." >&2; exit 1; }
	$(call install,$(PACKAGING_PACKAGES) $(PEOPLE_PACKAGES))

test-packaging: tarball image packaging-packages ## Installs, upgrades, runs and removes the packages on fresh Debian machines, as root
	$(PACKAGING_TEST) Tests/Packaging/test_debian_package.py Tests/Packaging/test_folder.py Tests/Packaging/test_image.py

test-two-people: image packaging-packages ## From nothing to a heard call between two browsers on two machines, as root
	$(PACKAGING_TEST) -rP Tests/Packaging/test_two_people.py
