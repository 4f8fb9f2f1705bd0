#!/usr/bin/perl
# declared.pl PAGE SCHEMA HELP [--write] - holds a manual page against what its
# program declares: SCHEMA is what --schema prints (empty where there is none)
# and HELP what --help does.
#
# A page names every parameter once, with its type, bounds and default in
# parentheses:
#
#	.It Cm limit No (integer from 1 to 500, default 20)
#
# and no parameter that does not exist; its SYNOPSIS has every option; each
# option that is not a parameter has an entry; the variables of its host facts are
# under ENVIRONMENT; every member of the result is named.  Prints a line for
# each fault.  --write puts the words in parentheses right instead.
use strict;
use warnings;
use JSON::PP;

my ($page, $schema_file, $help_file, $write) = @ARGV;
my ($bad, $help) = (0, slurp($help_file));
my $far = 2**31 - 1;

sub slurp {
	my ($path) = @_;
	open my $in, '<:raw', $path or die "$path: $!\n";
	local $/;
	return scalar(<$in>) // '';
}

sub fault {
	print "$page: @_\n";
	$bad = 1;
}

# ---- what the schema says, in words -----------------------------------------

sub any_of {
	my @values = @_;
	my $last = pop @values;
	return @values ? join(', ', @values) . " or $last" : $last;
}

sub plural {
	my ($words) = @_;
	$words =~ s/^(string|integer|boolean|object)\b/$1s/;
	return $words;
}

sub words {
	my ($type) = @_;
	if (my $choices = $type->{anyOf}) {
		my ($one, $other) = @$choices;
		# One of what the list holds: its bounds are said once.
		return "string or " . words($other)
			if ($one->{type} // '') eq 'string' && $other->{items};
		return join ' or ', map { words($_) } @$choices;
	}
	return any_of(@{ $type->{enum} }) if $type->{enum};
	my $is = $type->{type} // return 'any value';
	return join ' or ', @$is if ref $is;
	if ($is eq 'integer') {
		my ($min, $max) = @$type{qw(minimum maximum)};
		return $is if !defined $min || $min < -$far;
		return !defined $max || $max >= $far ? "$is from $min" :
			"$is from $min to $max";
	}
	if ($is eq 'string') {
		my ($min, $max) = @$type{qw(minLength maxLength)};
		return $min ? "$is of $min to $max characters" :
			"$is of up to $max characters" if $max;
		return $min ? "$is that is not empty" : $is;
	}
	if ($is eq 'array') {
		my ($min, $max) = @$type{qw(minItems maxItems)};
		my $count = $max ? ($min ? "$min to $max " : "up to $max ") :
			$min ? "at least $min " : '';
		my $items = $type->{items} // return $is;
		return $items->{enum} ? "array of " . words($items) :
			"array of $count" . plural(words($items));
	}
	if ($is eq 'object' && ref $type->{additionalProperties} eq 'HASH') {
		my $value = $type->{additionalProperties}{type};
		return ref $value ? 'object of strings or nulls' :
			'object of strings';
	}
	return $is;
}

sub described {
	my ($name, $schema) = @_;
	my $flag = $name =~ tr/_/-/r;
	my %type = %{ $schema->{properties}{$name} };
	# Values that --help does not list are left to the entry as well.
	if ($help =~ /^  --\Q$flag\E (?:LIST|VERSION)\b/m) {
		delete $type{enum};
		$type{items} = { type => 'string' } if $type{items};
	}
	my $type = \%type;
	my $words = words($type);
	$words .= ', required' if grep { $_ eq $name } @{ $schema->{required} // [] };
	if (exists $type->{default}) {
		my $default = $type->{default};
		$default = $default ? 'true' : 'false' if JSON::PP::is_bool($default);
		$words .= ", default $default";
	}
	return $words;
}

# A schema counts characters where a program counts bytes, and has no default
# that is only told in words: --help has it then.
sub same {
	my ($name, $said, $want) = @_;
	$said =~ s/ bytes\b/ characters/;
	return 1 if $said eq $want;
	my $flag = $name =~ tr/_/-/r;
	my ($entry) = $help =~ /^  --\Q$flag\E\b(.*?)(?=^  -|^\S|\z)/ms;
	return 0 unless defined $entry && $said =~ s/, default (.*)$//;
	my $default = $1;
	$entry =~ s/\s+/ /g;
	return $said eq $want && $entry =~ /; default: \Q$default\E|\(default: \Q$default\E/;
}

# ---- the page ---------------------------------------------------------------

# A line of macros as it reads.
sub plain {
	my ($line) = @_;
	my $text = join ' ', grep { !/^(?:Cm|No|Ql|Ar|Fl|Li|Ev|Ns)$/ }
		map { $_ eq 'Po' ? '(' : $_ eq 'Pc' ? ')' : $_ } split ' ', $line;
	$text =~ s/ (?=[,;.)])//g;
	$text =~ s/\( /(/g;
	return $text;
}

my $schema = slurp($schema_file);
$schema = $schema =~ /\S/ ? decode_json($schema) : undef;
my $input = $schema ? $schema->{inputSchema} : { properties => {} };
my @lines = split /\n/, slurp($page);
my ($section, %named, %flags, %entries, %variables, %words) = ('');
for (@lines) {
	$section = $1 if /^\.Sh (.*)/;
	if (/^\.It Cm (.*?) (?:No \(|Po )/) {
		my @names = split / , /, $1;
		my ($said) = plain(substr $_, 4) =~ /\((.*)\)$/;
		for my $name (@names) {
			if (!$input->{properties}{$name}) {
				fault("there is no parameter $name");
				next;
			}
			fault("$name is there twice") if $named{$name}++;
			my $want = described($name, $input);
			$want = plural($want) if @names > 1;
			next if defined $said && same($name, $said, $want);
			if ($write) {
				$_ = ".It Cm " . join(' , ', @names) . " No ($want)";
			} else {
				fault("$name is ($want), not (" . ($said // '') . ')');
			}
		}
	} elsif (/^\.It Fl -(\S+)/) {
		$entries{$1}++;
	}
	if ($section eq 'SYNOPSIS') {
		$flags{$1}++ while /(?:^|\s)-([a-z][a-z-]*)/g;
	}
	if ($section eq 'ENVIRONMENT' && /^\.(?:It )?Ev /) {
		$variables{$1}++ while /\b([A-Z][A-Z_]+)\b/g;
	}
	$words{$1}++ while /\b([a-zA-Z_][a-zA-Z0-9_]*)\b/g;
}
if ($write) {
	open my $out, '>:raw', $page or die "$page: $!\n";
	print $out map { "$_\n" } @lines;
	exit 0;
}
for my $name (sort keys %{ $input->{properties} }) {
	fault("the parameter $name is missing") if !$named{$name};
}

# ---- the options ------------------------------------------------------------

my ($part, %options, %own) = ('');
my ($operand) = $help =~ /^usage: .*\[([A-Z_]+)\]$/m;
$operand = defined $operand ? lc($operand) =~ tr/_/-/r : '';
for (split /\n/, $help) {
	$part = $1 if /^(Parameters|Options|Host facts)/;
	next unless /^  (?:-\w, )?--([a-z-]+)/;
	my $name = $1;
	next if $name =~ /^(?:json|text|schema|help|version|color)$/ && $part eq 'Options';
	$options{$name} = $part;
	$own{$name} = 1 if $part eq 'Options';
}
my $any_fact = grep { /^\.Op Ar host fact options/ } @lines;
for my $name (sort keys %options) {
	next if $flags{$name} || $flags{"no-$name"} || $name eq $operand ||
		($any_fact && $options{$name} eq 'Host facts');
	fault("--$name is not in the SYNOPSIS");
}
for my $name (sort keys %flags) {
	next if $name =~ /^(?:jt|schema|help|version)$/;
	fault("there is no option --$name")
		if !$options{$name} && !$options{ $name =~ s/^no-//r };
}
for my $name (sort keys %own) {
	fault("--$name has no entry") if !$entries{$name} && !$entries{"no-$name"} &&
		!$words{$name};
}
for my $name (sort keys %entries) {
	fault("there is no option --$name")
		if !$options{$name} && !$options{ $name =~ s/^no-//r };
}
while ($help =~ /\(((?:CTX|PI|CLAUDE|CODEX)_[A-Z_]+)[;)]/g) {
	fault("the variable $1 is not under ENVIRONMENT") if !$variables{$1} && !$any_fact;
}

# ---- the result -------------------------------------------------------------

# Members of members, too; but not those of a schema in a schema.
sub members {
	my ($type) = @_;
	my @inner = (values %{ $type->{properties} // {} }, $type->{items} // (),
		@{ $type->{anyOf} // [] });
	return keys %{ $type->{properties} // {} }, map { members($_) } @inner;
}

my %members = map { $_ => 1 } $schema ? members($schema->{outputSchema}) : ();
for my $name (sort keys %members) {
	fault("the member $name of the result is not named") if !$words{$name};
}
exit $bad;
