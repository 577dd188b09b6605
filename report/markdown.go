package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// A page is markdown on its way to a file: blocks, with one empty line between
// two of them.
type page struct{ b strings.Builder }

func (p *page) block(text string) {
	if p.b.Len() > 0 {
		p.b.WriteString("\n")
	}
	p.b.WriteString(text)
	p.b.WriteString("\n")
}

func (p *page) heading(level int, text string) { p.block(strings.Repeat("#", level) + " " + text) }

// para writes a paragraph as one line: the width of a page is the reader's.
func (p *page) para(format string, args ...any) { p.block(fmt.Sprintf(format, args...)) }

func (p *page) list(items []string) { p.block("- " + strings.Join(items, "\n- ")) }

// command writes a line for a shell.
func (p *page) command(line string) { p.block("```sh\n" + line + "\n```") }

// fold hides what body writes until a reader asks for it. A heading inside would
// lose its anchor: it goes before.
func (p *page) fold(summary string, body func()) {
	p.block("<details>\n<summary>" + summary + "</summary>")
	body()
	p.block("</details>")
}

// table writes a table whose cells are markdown. Columns of whole numbers are set
// to the right. Cells are not filled up with spaces: one changed cell is then one
// changed line, and GitHub shows no file over half a megabyte. Nothing is written
// without rows.
func (p *page) table(header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	rules := make([]string, len(header))
	for i := range header {
		rules[i] = "---"
		if wholeNumbers(rows, i) {
			rules[i] = "--:"
		}
	}
	lines := []string{tableLine(header), tableLine(rules)}
	for _, row := range rows {
		lines = append(lines, tableLine(row[:len(header)]))
	}
	p.block(strings.Join(lines, "\n"))
}

func tableLine(cells []string) string {
	var b strings.Builder
	for _, cell := range cells {
		b.WriteString("| " + cellText(cell) + " ")
	}
	return b.String() + "|"
}

// wholeNumbers reports whether a column has whole numbers and nothing else.
func wholeNumbers(rows [][]string, column int) bool {
	some := false
	for _, row := range rows {
		if _, err := strconv.Atoi(row[column]); err != nil && row[column] != "" {
			return false
		}
		some = some || row[column] != ""
	}
	return some
}

// cellText keeps markdown inside its cell: GitHub takes a bar as the end of a
// cell, in code too, unless a backslash stands before it.
func cellText(markdown string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "\r", "").Replace(markdown)
}

// text makes plain text safe: what stands in a name, a claim or a formula must
// show as it is. Between backticks it is code and stays as it is.
func text(plain string) string {
	parts := strings.Split(strings.Join(strings.Fields(plain), " "), "`")
	if len(parts)%2 == 0 { // a backtick without its partner
		return escape(strings.Join(parts, "'"))
	}
	for i := 0; i < len(parts); i += 2 {
		parts[i] = escape(parts[i])
	}
	return strings.Join(parts, "`")
}

// escape puts a backslash before everything that markdown would take for its
// own. An underscore inside a word and a bracket that begins no link are none.
func escape(plain string) string {
	var b strings.Builder
	runes := []rune(plain)
	for i, r := range runes {
		inWord := i > 0 && i+1 < len(runes) && letter(runes[i-1]) && letter(runes[i+1])
		switch {
		case strings.ContainsRune(`\*~$<`, r), r == '_' && !inWord, r == '(' && i > 0 && runes[i-1] == ']':
			b.WriteRune('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// code shows a name in the letters of a machine.
func code(name string) string {
	if name == "" {
		return ""
	}
	return "`" + strings.ReplaceAll(name, "`", "'") + "`"
}

// anchor is the name that GitHub gives to a heading: small letters, digits,
// hyphens and underscores, and hyphens for spaces.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case letter(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		default:
			return -1
		}
	}, heading)
}

// counted is a number with its noun: 1 cell, 2 cells.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
