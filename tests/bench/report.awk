# SPDX-License-Identifier: GPL-2.0-only
#
# Joins what main.c printed on the two cores, and the budgets: a line a figure, or JSON, and the
# closing line. Whatever is in one file and not in the other is a failure, not an omission.
#
# usage: awk -f report.awk -v json=0|1 -v strict=0|1 -v all=0|1 -v kernel=RELEASE BUDGETS IN-TREE PMUCTL
#
#   all: every bench ran, so every budget must find its line

BEGIN { FS = "\t" }

FNR == 1 { file++ }

file == 1 {
	sub(/#.*/, "")
	if (split($0, words, /[ \t]+/) >= 2 && words[1] != "")
		budget[words[1]] = words[2]
	next
}

!($1 in seen) {
	seen[$1] = 1
	names[++nr] = $1
}

file == 2 { in_tree[$1] = $2 }
file == 3 {
	pmuctl[$1] = $2
	if ($3 != "-")
		budget[$1] = $3
}
$4 != "" { note[$1] = $4 }

function is_number(text)
{
	return text ~ /^-?[0-9.]+$/
}

function ratio_of(name)
{
	if (!is_number(pmuctl[name]) || !is_number(in_tree[name]) || in_tree[name] <= 0)
		return "n/a"
	return sprintf("%.3f", pmuctl[name] / in_tree[name])
}

# The budget as a number, or nothing where there is none to be had.
function budget_of(name, text)
{
	text = budget[name]
	if (text !~ /^x/)
		return text
	return is_number(in_tree[name]) ? sprintf("%.0f", substr(text, 2) * in_tree[name]) : ""
}

function verdict_of(name)
{
	if (!is_number(pmuctl[name]) || (!is_number(in_tree[name]) && in_tree[name] != "n/a"))
		return "failed"
	if (budget_of(name) == "")
		return "passed"
	return pmuctl[name] + 0 <= budget_of(name) + 0 ? "ok" : "missed"
}

function print_line(name, verdict, line)
{
	line = "bench: " name " pmuctl=" pmuctl[name] " in-tree=" in_tree[name] " ratio=" ratio_of(name)
	if (verdict == "ok" || verdict == "missed")
		line = line " budget=" budget_of(name) " " verdict
	else if (verdict == "failed")
		line = line " FAILED"
	print line (name in note ? " (" note[name] ")" : "")
}

function quoted(text)
{
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function number_or_null(text)
{
	return is_number(text) ? text : "null"
}

function print_object(name, verdict, last)
{
	printf "  {\"name\": %s, \"pmuctl\": %s, \"in_tree\": %s, \"ratio\": %s, \"budget\": %s, " \
		"\"verdict\": \"%s\", \"note\": %s}%s\n", quoted(name), number_or_null(pmuctl[name]),
		number_or_null(in_tree[name]), number_or_null(ratio_of(name)),
		number_or_null(budget_of(name)), verdict, name in note ? quoted(note[name]) : "null",
		last ? "" : ","
}

function judge(name, verdict)
{
	if (!(name in pmuctl))
		pmuctl[name] = "missing"
	if (!(name in in_tree))
		in_tree[name] = "missing"
	verdict = verdict_of(name)
	count[verdict == "ok" ? "passed" : verdict]++
	return verdict
}

# A budget whose line is not there: a name was changed in one place only.
function check_budgets(name)
{
	for (name in budget) {
		if (!all || name in seen)
			continue
		print "pmuctl: bench: there is no line for the budget of " name "." >"/dev/stderr"
		count["failed"]++
	}
}

END {
	if (json)
		printf "{\"kernel\": %s, \"results\": [\n", quoted(kernel)
	for (i = 1; i <= nr; i++) {
		verdict = judge(names[i])
		if (json)
			print_object(names[i], verdict, i == nr)
		else
			print_line(names[i], verdict)
	}
	check_budgets()
	if (json)
		printf "], \"passed\": %d, \"failed\": %d, \"missed\": %d}\n", count["passed"],
			count["failed"], count["missed"]
	else
		printf "bench: %d passed, %d failed, %d missed\n", count["passed"], count["failed"],
			count["missed"]
	exit nr == 0 || count["failed"] > 0 || (strict && count["missed"] > 0)
}
