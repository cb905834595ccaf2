// Package skills is what homebot can do: a Skill is a folder with a SKILL.md
// (the common front-matter form, so that skills written for other agents load),
// a Tool is one typed function the model can have called, and a Set is the
// tools of one conversation in a fixed order.
//
// Each ability has a folder of its own below this one. Builtin holds the texts
// of those folders inside the binary.
package skills
