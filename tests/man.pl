#!/usr/bin/perl
# man.pl PAGE FOLDER [SECTION] - takes the examples of a page apart.
#
# In a `.Bd -literal` of an mdoc page's EXAMPLES or SECTION, or a ```console block of a
# Markdown page, a line `$ command` is a command (`> ` goes on with it) and the
# lines up to the next one are its exact output.  Writes FOLDER/NNN.command and
# FOLDER/NNN.want, in the order of the page.
use strict;
use warnings;

my ($page, $folder, $section) = @ARGV;
$section //= 'EXAMPLES';
my %named = (aq => "'", dq => '"', ha => '^', ti => '~', ga => '`', rs => '\\',
	bu => "\x{2022}", '->' => "\x{2192}", '<-' => "\x{2190}", lq => "\x{201c}",
	rq => "\x{201d}", em => "\x{2014}", en => "\x{2013}", pc => '%', at => '@',
	sh => '#', Do => '$', lB => '[', rB => ']', lC => '{', rC => '}');
my ($inside, $literal, $n) = (0, 0, 0);
my ($command, @want);

sub plain {
	my ($line) = @_;
	$line =~ s{\\(?:e|-|&|\ |\((..)|\[u([0-9A-F]{4,6})\]|\[([^\]]+)\])}{
		my ($two, $code, $name) = ($1, $2, $3);
		my $what = $two // $name;
		defined $code ? chr hex $code :
		defined $what ? $named{$what} // die "$page:$.: unknown \\($what\n" :
		$& eq '\\e' ? '\\' : $& eq '\\-' ? '-' : $& eq '\\ ' ? ' ' : ''
	}gex;
	return $line;
}

sub put {
	my ($name, $text) = @_;
	open my $out, '>:utf8', sprintf('%s/%03d.%s', $folder, $n, $name)
		or die "$folder: $!\n";
	print $out $text;
	close $out or die "$folder: $!\n";
}

sub finish {
	return unless defined $command;
	$n++;
	put('command', $command);
	put('want', join '', map { "$_\n" } @want);
	($command, @want) = ();
}

my $markdown = $page =~ /\.md$/;
my ($begin, $end) = $markdown ? (qr/^```console$/, qr/^```$/) :
	(qr/^\.Bd .*-literal/, qr/^\.Ed/);
$inside = $markdown;
open my $in, '<:utf8', $page or die "$page: $!\n";
while (my $line = <$in>) {
	chomp $line;
	$inside = $line =~ /^\.Sh \Q$section\E/ if $line =~ /^\.Sh / && !$markdown;
	next unless $inside;
	if ($line =~ $begin) {
		$literal = 1;
	} elsif ($line =~ $end) {
		finish();
		$literal = 0;
	} elsif ($literal) {
		$line = plain($line) unless $markdown;
		if ($line =~ /^\$ (.*)/) {
			finish();
			$command = $1;
		} elsif ($line =~ /^> (.*)/ && defined $command && !@want) {
			$command .= "\n$1";
		} elsif (defined $command) {
			push @want, $line;
		} else {
			die "$page:$.: a literal block starts with a command\n";
		}
	}
}
exit 0;
