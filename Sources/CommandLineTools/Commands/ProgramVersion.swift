/// The product's version, as the hub and its clients report it.
package let callHubVersion = "0.1.0"
