#!/usr/bin/perl
# terminal.pl [--ahead LINES] LINES COMMAND...: runs a command on a terminal of
# its own and types the lines, each once the prompt, which ends in a colon and
# a blank, stands there; those of --ahead at once.  Prints what the terminal
# shows; exits as the command does.
#
# With --script the lines are steps: `< text` waits until the text is shown,
# behind what was waited for before; `> keys` types them, \n and \xNN being one
# key; `= rows columns` makes the terminal that large.
use strict;
use warnings;
use Fcntl;
use POSIX ();

my ($ahead, $script) = ('', 0);
if (@ARGV && $ARGV[0] eq '--ahead') {
	shift;
	$ahead = shift;
}
if (@ARGV && $ARGV[0] eq '--script') {
	shift;
	$script = 1;
}
my @steps = split /\n/, $script ? shift : '';
my @lines = $script ? () : map { "$_\n" } split /\n/, shift, -1;
pop @lines;
@lines = map { s/\x04\n/\x04/r } @lines ? @lines : ("\x04") unless $script;

sysopen(my $master, '/dev/ptmx', O_RDWR | O_NOCTTY) or die "ptmx: $!";
my $lock = pack 'i', 0;
ioctl($master, 0x40045431, $lock) or die "unlock: $!";
my $number = pack 'i', 0;
ioctl($master, 0x80045430, $number) or die "number: $!";
my $name = '/dev/pts/' . unpack 'i', $number;
my $pid = fork() // die "fork: $!";
if (!$pid) {
	POSIX::setsid();
	open(STDIN, '<', $name) or die;
	open(STDOUT, '>', $name) or die;
	open(STDERR, '>', $name) or die;
	close $master;
	exec @ARGV or die;
}
syswrite $master, $ahead if length $ahead;
my ($screen, $seen) = ('', 0);
$| = 1;
# Takes the steps up to the next text that is not shown yet.
sub steps {
	while (@steps) {
		my ($what, $of) = $steps[0] =~ /^([<>=]) (.*)$/ or die "no step: $steps[0]";
		if ($what eq '<') {
			my $at = index $screen, $of, $seen;
			return if $at < 0;
			$seen = $at + length $of;
		} elsif ($what eq '>') {
			syswrite $master, $of =~ s/\\(n|x(..))/$1 eq 'n' ? "\n" : chr hex $2/ger;
		} else {
			ioctl($master, 0x5414, pack 'S4', split(' ', $of), 0, 0) or die "size: $!";
		}
		shift @steps;
	}
}
if ($script) {
	# What is never shown is not waited for without end.
	$SIG{ALRM} = sub { kill 'KILL', $pid; print "\nnever shown: $steps[0]\n"; exit 99 };
	alarm 120;
	steps();
}
while (1) {
	my $n = sysread $master, my $bytes, 4096;
	last unless $n;
	print $bytes;
	$screen .= $bytes;
	steps() if $script;
	if (@lines && substr($screen, $seen) =~ /: $/) {
		$seen = length $screen;
		# The prompt's reader throws away what came before it.
		select undef, undef, undef, 0.2;
		syswrite $master, shift @lines;
	}
}
waitpid $pid, 0;
exit $? >> 8;
