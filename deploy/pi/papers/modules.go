package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// sherpa is the module that brings libraries of its own.
const sherpa = "github.com/k2-fsa/sherpa-onnx-go-linux"

// goModules are the modules linked into the programs, with the licence that lies
// in each, as Go's own module cache has it.
func goModules(programs ...string) ([]component, error) {
	var all []component
	for _, p := range programs {
		info, err := buildinfo.ReadFile(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		std := component{Name: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go"), License: "BSD-3-Clause", Kind: "golang"}
		if !slices.Contains(all, std) {
			all = append(all, std)
		}
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			c := component{Name: m.Path, Version: m.Version, Kind: "golang", From: "https://" + m.Path}
			if slices.ContainsFunc(all, func(o component) bool { return o.Name == c.Name }) {
				continue
			}
			dir, err := moduleDir(m.Path)
			if err != nil {
				return nil, err
			}
			c.License = moduleLicense(dir)
			all = append(all, c)
			if m.Path == sherpa {
				all = append(all, component{Name: "onnxruntime", Version: "in sherpa-onnx " + m.Version, License: "MIT", Kind: "library"})
			}
		}
	}
	return all, nil
}

func moduleDir(module string) (string, error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", module, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// moduleLicense recognises the licence in a module's directory; "" when there is
// none, or one it does not know.
func moduleLicense(dir string) string {
	files, _ := filepath.Glob(filepath.Join(dir, "[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
	copying, _ := filepath.Glob(filepath.Join(dir, "COPYING*"))
	for _, f := range append(files, copying...) {
		if text, err := os.ReadFile(f); err == nil {
			if id := recognise(string(text)); id != "" {
				return id
			}
		}
	}
	return ""
}

// recognise knows a licence by the sentences that no other has.
func recognise(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("Mozilla Public License") && has("2.0"):
		return "MPL-2.0"
	case has("Apache License") && has("Version 2.0"):
		return "Apache-2.0"
	case has("Permission is hereby granted, free of charge"):
		return "MIT"
	case has("Permission to use, copy, modify, and/or distribute"), has("Permission to use, copy, modify, and distribute"):
		return "ISC"
	case has("Redistribution and use in source and binary forms") && has("Neither the name"), has("Redistribution and use in source and binary forms") && has("may not be used to endorse"):
		return "BSD-3-Clause"
	case has("Redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	}
	return ""
}
