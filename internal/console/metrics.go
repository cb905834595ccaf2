package console

import "github.com/prometheus/client_golang/prometheus"

var _ = prometheus.NewRegistry
