# The commands of homebot; CONTRIBUTING.md describes them.
export GOTOOLCHAIN := auto
SHELL := /bin/bash
.DEFAULT_GOAL := help

VERSION   := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
BUILDTIME := $(shell git log -1 --format=%cI 2>/dev/null)
LDFLAGS   := -X main.version=$(VERSION) -X main.buildTime=$(BUILDTIME)
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
BENCHSTAT   := golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
# gordonklaus/portaudio keeps ids in pointers; the race detector's pointer check
# would end the process at the second stream.
RACE := -race -gcflags=github.com/gordonklaus/portaudio=-d=checkptr=0
T ?= 30s
# nosherpa builds homebot-speech without sherpa-onnx and its 32 MB of libraries.
TAGS ?=
BENCH ?= .
# Where the Mandarin model for pocketsphinx may lie.
export MODELS ?= ../shared/models

.PHONY: help run chat build build-arm64 image test-image test check check-static bench bench-context soak fuzz clean require-go

help: ## show this list
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

require-go:
	@sh .ci/require-go

build: require-go ## build bin/homebot and bin/homebot-speech
	@sh .ci/packages run
	go build -tags '$(TAGS)' -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...
	@case ' $(TAGS) ' in *' nosherpa '*) ;; *) sh .ci/libs "$$(go env GOARCH)" bin/lib ;; esac

build-arm64: require-go ## build both for a 64-bit Raspberry Pi into bin/arm64 (cgo, Debian's libraries)
	@sh .ci/packages arm64
	LDFLAGS='$(LDFLAGS)' sh .ci/arm64 build bin/arm64 ./cmd/homebot ./cmd/homebot-speech

image: require-go ## build the SD-card image for a Raspberry Pi into build/image (MODELS=DIR: with the Mandarin set)
	@sh .ci/packages image
	VERSION="$(VERSION)" LDFLAGS="$(LDFLAGS)" deploy/pi/image

test-image: require-go ## boot the image in an emulator, speak to it, cut its power (CUTS=5); writes deploy/pi/tested.sum
	@sh .ci/packages image
	VERSION="$(VERSION)" LDFLAGS="$(LDFLAGS)" deploy/pi/test

run: build ## build and start the appliance (a talk on a virtual sound card where there is none)
	@HOMEBOT_MODELS=$${HOMEBOT_MODELS:-$(MODELS)} bin/homebot run --show --demo-without-sound-card

chat: build ## build and talk in text
	@bin/homebot chat

test: require-go ## run all tests
	@sh .ci/packages test
	go vet ./...
	go test -timeout 25m ./...

check-static: require-go ## the checks that run no tests of behaviour
	@sh .ci/packages run
	@out=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$out" ] || { echo "not gofmt-ed: $$out; run gofmt -w" >&2; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...
	go test ./internal/archtest
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 go build -o /dev/null ./cmd/homebot
	CGO_ENABLED=0 GOOS=linux GOARCH=arm64 go vet ./...
	go mod tidy -diff

check: check-static ## everything a change must pass: static checks, then all tests with the race detector
	@sh .ci/packages test
	go test $(RACE) -timeout 30m ./...

bench: require-go ## run the benchmarks (BENCH=regexp); pipe two runs into benchstat
	@sh .ci/packages test
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

bench-context: require-go ## print the context engine's targets beside what is reached (CASES=DIR: the conversations)
	@sh .ci/packages test
	@CASES='$(CASES)' sh .ci/bench-context

soak: require-go ## the long tests: thirty simulated days, a thousand kills, twenty power cuts
	@sh .ci/packages test
	HOMEBOT_SOAK=1 go test -timeout 60m -run 'Soak|Kills|PowerCuts|DoesNotHearItself|OverItsVoice' -v ./...

fuzz: require-go ## fuzz every parser for T (30s) each
	@sh .ci/packages test
	@set -e; for p in $$(go list ./...); do \
		for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz' || true); do \
			echo "== $$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(T) $$p; \
		done; \
	done

clean: ## remove what was built
	rm -rf bin build
