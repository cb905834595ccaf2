package main

import (
	"testing"
)

// evil is text that would be a script, were it not text.
const evil = `<img src=x onerror="window.owned=1"><script>window.owned=1</script>'"` + "${window.owned=1}"

// F1: script in a recipe's title and lines, in a dialogue and in a member's name
// is text on every page that shows it, and does nothing.
func TestBrowserScriptIsText(t *testing.T) {
	b := browser(t)
	h := newHome(t, nil).withConsole()
	h.server("--no-sound")
	if code := h.api("POST", "/api/v1/recipes", map[string]any{"title": "Cake " + evil, "servings": 2, "tags": []string{evil},
		"ingredients": []string{"flour " + evil + ": 2 cups"}, "steps": []string{"Stir " + evil}, "notes": []string{evil}}, nil); code != 201 {
		t.Fatalf("the recipe was not taken: %d", code)
	}
	h.api("POST", "/api/v1/turns", map[string]any{"text": "open cooking mode", "lang": "en"}, nil)
	h.api("POST", "/api/v1/turns", map[string]any{"text": evil, "speaker_id": evil, "lang": "en"}, nil)
	h.api("POST", "/api/v1/timers", map[string]any{"label": evil, "seconds": 600}, nil)
	h.api("POST", "/api/v1/turns", map[string]any{"text": "exit cooking mode", "lang": "en"}, nil)
	var all struct{ Recipes []struct{ ID, Title string } }
	h.api("GET", "/api/v1/recipes", nil, &all)
	recipe := ""
	for _, r := range all.Recipes {
		if r.Title == "Cake "+evil {
			recipe = r.ID
		}
	}
	if recipe == "" {
		t.Fatal("the recipe is not listed as it was written")
	}
	p := h.tab(b)
	p.open("/pair?lang=en&to=%2F%22%3E%3Cscript%3Ewindow.owned%3D1%3C%2Fscript%3E")
	p.enter("/")
	for _, path := range []string{"/", "/recipes", "/recipes/" + recipe, "/recipes/" + recipe + "/edit", h.finished(), "/settings", "/talk", "/recipes?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.owned%3D1%3E"} {
		p.open(path)
		p.until("connected", `document.querySelector("#link:not(.off)")`)
		if evaluate[bool](p, `!!(window.owned || document.querySelector("main img, main script"))`) {
			t.Errorf("%s: what a person wrote became a part of the page", path)
		}
	}
	p.open("/recipes/" + recipe)
	p.until("the title as it was written", `document.querySelector("h1").textContent.includes("<img src=x onerror=")`)
	p.open("/talk")
	p.types("form.ask input", evil)
	p.until("an answer", `document.querySelectorAll(".log .bot").length && document.querySelector(".log .me").textContent.includes("<script>")`)
	if evaluate[bool](p, `!!window.owned`) {
		t.Error("typed script ran")
	}
}

// F1: on plain http away from localhost there is no microphone: the page says so
// and where it is to be had.
func TestBrowserNoMicrophone(t *testing.T) {
	b := browser(t)
	h := newHome(t, nil).withConsole()
	h.server("--no-sound")
	p := h.tab(b)
	p.open("/pair?lang=en")
	p.enter("/talk")
	p.until("buttons for the microphone", `document.querySelector(".hold")`)
	evaluate[bool](p, `(Object.defineProperty(window, "isSecureContext", { value: false }), document.querySelector('.tabs a[href="/"]').click(), true)`)
	p.click(`.tabs a[href="/talk"]`)
	p.says(".note", "https")
	p.until("no button that could not work", `!document.querySelector(".hold")`)
}
