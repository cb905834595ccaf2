package archtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// house is layerTable, parsed.
type house struct {
	layer    map[string]int     // of a room; "x/*" for each directory below x
	sideways map[[2]string]bool // from, to
}

func newHouse() house {
	h := house{layer: map[string]int{}, sideways: map[[2]string]bool{}}
	for _, words := range lines(layerTable) {
		n, err := strconv.Atoi(words[0])
		if err != nil {
			panic("archtest: layerTable: a line begins with the number of its layer, not " + words[0])
		}
		for _, room := range words[1:] {
			h.layer[room] = n
		}
	}
	for _, words := range lines(sideways) {
		h.sideways[[2]string{words[0], words[1]}] = true
	}
	return h
}

// room returns the room of a directory of the module and its layer; ok is false
// for a directory that belongs to no room.
func (h house) room(dir string) (room string, layer int, ok bool) {
	parts := strings.Split(inHouse(dir), "/")
	if len(parts) > 1 {
		if layer, ok = h.layer[parts[0]+"/*"]; ok {
			return parts[0] + "/" + parts[1], layer, true
		}
	}
	layer, ok = h.layer[parts[0]]
	return parts[0], layer, ok
}

// inHouse is a directory as the tables write it.
func inHouse(dir string) string { return strings.TrimPrefix(dir, "internal/") }

// importsPointDown: every import of the module goes to a lower layer or stays in
// its room.
func importsPointDown(m *module) []string {
	var wrong []string
	h := newHouse()
	for _, f := range m.files {
		from, high, ok := h.room(f.dir)
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s: %s is no room of the house; put the file into one, or add the room to layerTable", f.path, f.dir))
			continue
		}
		for name, pos := range f.imports() {
			dir, ours := strings.CutPrefix(name, modulePath+"/")
			if !ours {
				continue
			}
			to, low, ok := h.room(dir)
			if ok && (to == from || low < high || h.sideways[[2]string{inHouse(f.dir), inHouse(dir)}]) {
				continue
			}
			wrong = append(wrong, fmt.Sprintf("%s: %s (layer %d) imports %s (layer %d); imports go down: "+
				"let the lower room own a small interface that the higher one satisfies, or move what both need below them",
				m.at(pos), from, high, to, low))
		}
	}
	return wrong
}

// thirdPartiesStayHome: a module from outside is imported only where
// thirdParties says.
func thirdPartiesStayHome(m *module) []string {
	var wrong []string
	for _, f := range m.files {
		for name, pos := range f.imports() {
			first, _, _ := strings.Cut(name, "/")
			if !strings.Contains(first, ".") { // the standard library, or our own
				continue
			}
			rooms, known := allowedIn(name)
			switch {
			case !known:
				wrong = append(wrong, fmt.Sprintf("%s: %s is not in the table of third parties; do without it, or add it with the one room that needs it", m.at(pos), name))
			case !slices.ContainsFunc(rooms, func(room string) bool { return covers(room, inHouse(f.dir)) }):
				wrong = append(wrong, fmt.Sprintf("%s: %s may be imported only in %s; ask that room for what you need", m.at(pos), name, strings.Join(rooms, ", ")))
			}
		}
	}
	return wrong
}

// allowedIn returns the packages that may import the package name.
func allowedIn(name string) (rooms []string, known bool) {
	for _, words := range lines(thirdParties) {
		if name == words[0] || strings.HasPrefix(name, words[0]+"/") {
			return words[1:], true
		}
	}
	return nil, false
}

// covers reports whether a package of a table ("x", or "x/..." for x and all
// below) is dir.
func covers(entry, dir string) bool {
	if tree, ok := strings.CutSuffix(entry, "/..."); ok {
		return dir == tree || strings.HasPrefix(dir, tree+"/")
	}
	return dir == entry
}

// cgoStaysHome: only cgoRooms import "C".
func cgoStaysHome(m *module) []string {
	var wrong []string
	for _, f := range m.files {
		pos, ok := f.imports()["C"]
		if ok && !slices.Contains(strings.Fields(cgoRooms), inHouse(f.dir)) {
			wrong = append(wrong, fmt.Sprintf("%s: cgo outside %s; everything else builds with CGO_ENABLED=0: put the C code into one of them", m.at(pos), cgoRooms))
		}
	}
	return wrong
}

// testDoublesStayInTests: a package …test is imported by tests and by its like.
func testDoublesStayInTests(m *module) []string {
	var wrong []string
	for _, f := range m.files {
		if f.forTests() {
			continue
		}
		for name, pos := range f.imports() {
			if strings.HasPrefix(name, modulePath+"/") && testPackage(name) {
				wrong = append(wrong, fmt.Sprintf("%s: %s is for tests; what the product needs belongs into the room itself", m.at(pos), name))
			}
		}
	}
	return wrong
}
