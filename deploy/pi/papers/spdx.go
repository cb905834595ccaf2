package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// component is one package, module or model.
type component struct {
	Name, Version string
	License       string // an SPDX expression, or "" when its papers do not say in a form that can be read
	Kind          string // application, debian, golang, library, model
	From          string // where it is downloaded; may be empty
}

// purl is the package URL, the name by which vulnerability lists know it.
func (c component) purl() string {
	switch c.Kind {
	case "debian":
		return fmt.Sprintf("pkg:deb/debian/%s@%s?arch=arm64&distro=trixie", c.Name, strings.ReplaceAll(c.Version, "+", "%2B"))
	case "golang":
		return fmt.Sprintf("pkg:golang/%s@%s", c.Name, c.Version)
	}
	if strings.Contains(c.Version, " ") { // told in words: part of another
		return "pkg:generic/" + c.Name
	}
	return fmt.Sprintf("pkg:generic/%s@%s", c.Name, c.Version)
}

// SPDX 2.3, as far as it is used; https://spdx.github.io/spdx-spec/v2.3/.
type (
	spdxDocument struct {
		Version       string             `json:"spdxVersion"`
		License       string             `json:"dataLicense"`
		ID            string             `json:"SPDXID"`
		Name          string             `json:"name"`
		Namespace     string             `json:"documentNamespace"`
		Creation      spdxCreation       `json:"creationInfo"`
		Describes     []string           `json:"documentDescribes"`
		Packages      []spdxPackage      `json:"packages"`
		Licenses      []spdxLicense      `json:"hasExtractedLicensingInfos,omitempty"`
		Relationships []spdxRelationship `json:"relationships"`
	}
	spdxCreation struct {
		Created  string   `json:"created"`
		Creators []string `json:"creators"`
	}
	spdxPackage struct {
		ID        string         `json:"SPDXID"`
		Name      string         `json:"name"`
		Version   string         `json:"versionInfo"`
		Download  string         `json:"downloadLocation"`
		Analyzed  bool           `json:"filesAnalyzed"`
		Concluded string         `json:"licenseConcluded"`
		Declared  string         `json:"licenseDeclared"`
		Copyright string         `json:"copyrightText"`
		Purpose   string         `json:"primaryPackagePurpose,omitempty"`
		Refs      []spdxExternal `json:"externalRefs,omitempty"`
	}
	spdxExternal struct {
		Category string `json:"referenceCategory"`
		Type     string `json:"referenceType"`
		Locator  string `json:"referenceLocator"`
	}
	spdxLicense struct {
		ID   string `json:"licenseId"`
		Name string `json:"name"`
		Text string `json:"extractedText"`
	}
	spdxRelationship struct {
		From string `json:"spdxElementId"`
		Type string `json:"relationshipType"`
		To   string `json:"relatedSpdxElement"`
	}
)

const noAssertion = "NOASSERTION"

// notInID are the bytes that an SPDX id does not have.
var notInID = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// licenseRef finds licences that SPDX has no id for.
var licenseRef = regexp.MustCompile(`LicenseRef-[A-Za-z0-9.-]+`)

// bill is the document: the image, and what it contains.
func bill(name, version string, created time.Time, parts []component) spdxDocument {
	const image = "SPDXRef-image"
	d := spdxDocument{
		Version: "SPDX-2.3", License: "CC0-1.0", ID: "SPDXRef-DOCUMENT", Name: name,
		Namespace: "https://homebot.invalid/spdx/" + name,
		Creation:  spdxCreation{created.Format(time.RFC3339), []string{"Tool: homebot-papers"}},
		Describes: []string{image},
		Packages: []spdxPackage{{ID: image, Name: name, Version: version, Download: noAssertion, Concluded: noAssertion,
			Declared: noAssertion, Copyright: noAssertion, Purpose: "OPERATING-SYSTEM"}},
		Relationships: []spdxRelationship{{"SPDXRef-DOCUMENT", "DESCRIBES", image}},
	}
	refs := map[string]bool{}
	for _, c := range parts {
		id := "SPDXRef-" + c.Kind + "-" + notInID.ReplaceAllString(c.Name, "-")
		p := spdxPackage{ID: id, Name: c.Name, Version: c.Version, Download: noAssertion, Concluded: noAssertion, Declared: noAssertion,
			Copyright: noAssertion, Refs: []spdxExternal{{"PACKAGE-MANAGER", "purl", c.purl()}}}
		if c.From != "" {
			p.Download = c.From
		}
		if c.License != "" {
			p.Declared = c.License
		}
		d.Packages = append(d.Packages, p)
		d.Relationships = append(d.Relationships, spdxRelationship{image, "CONTAINS", id})
		for _, ref := range licenseRef.FindAllString(c.License, -1) {
			refs[ref] = true
		}
	}
	for _, ref := range slices.Sorted(maps.Keys(refs)) {
		short := strings.TrimPrefix(ref, "LicenseRef-")
		d.Licenses = append(d.Licenses, spdxLicense{ref, short, "Named " + short + " in /usr/share/doc/PACKAGE/copyright of the image, where its text is."})
	}
	return d
}
