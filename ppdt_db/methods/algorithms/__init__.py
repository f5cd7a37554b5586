"""The algorithms that methods are built from: partitions, clusters, trees and their risks."""
