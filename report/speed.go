package report

import "strings"

// longTable is how many lines of a table are read at first sight.
const longTable = 40

// speed is timings and memory.
func (d *docket) speed(p *page) {
	p.heading(2, "Speed and memory")
	if len(d.Tables) == 0 {
		p.para("This folder of results holds no timings.")
		return
	}
	p.para("Times are of one machine and one run, in which the subjects took turns. Compare them as ratios within a table, " +
		"and with no table of another day. They have no part in any verdict.")
	d.tables(p, d.Tables)
}

// choosing is what was found of choices between filters, if anything was.
func (d *docket) choosing(p *page) {
	if len(d.Choosing) == 0 {
		return
	}
	p.heading(2, "Choosing")
	p.para("What `experiment choose` answers rests on the verdicts above and on times of one machine: on another one other filters win.")
	d.tables(p, d.Choosing)
}

func (d *docket) tables(p *page, all []Table) {
	for _, t := range all {
		p.heading(3, text(t.Title))
		if t.Note != "" {
			for paragraph := range strings.SplitSeq(t.Note, "\n\n") {
				p.para("%s", text(paragraph))
			}
		}
		if t.File != "" {
			p.para("![%s](%s)", text(t.Title), d.link(t.File))
		}
		lines := make([][]string, len(t.Rows))
		for i, row := range t.Rows {
			for _, cell := range row {
				lines[i] = append(lines[i], text(cell))
			}
		}
		header := make([]string, len(t.Header))
		for i, h := range t.Header {
			header[i] = text(h)
		}
		if len(lines) > longTable {
			p.fold(counted(len(lines), "line", "lines"), func() { p.table(header, lines) })
		} else {
			p.table(header, lines)
		}
		if t.Command != "" {
			p.para("Made by")
			p.command(t.Command)
		}
	}
}
