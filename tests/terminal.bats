#!/usr/bin/env bats
# What a person at a terminal sees; script(1) gives the programs one.

load common

setup() {
	common_setup
	need_terminal
}

on_terminal() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r'
}

@test "a terminal as stdin means {}, and text only" {
	run on_terminal notes-list
	assert_output '0 notes'
}

@test "-j at a terminal prints the JSON line only" {
	run on_terminal 'notes-list -j'
	assert_output '{"files":[],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}'
}

@test "stdin that is no terminal gives both surfaces" {
	run notes-list </dev/null
	assert_line -n 0 '{"files":[],"more":0,"crumpled_excluded":0,"homes_unavailable":[]}'
	assert_line -n 1 '0 notes'
}
