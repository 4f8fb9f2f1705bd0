#!/usr/bin/perl
# terminal.pl [--ahead LINES] LINES COMMAND...: runs a command on a terminal of
# its own and types the lines, each once the prompt, which ends in a colon and
# a blank, stands there; those of --ahead at once.  Prints what the terminal
# shows; exits as the command does.
use strict;
use warnings;
use Fcntl;
use POSIX ();

my $ahead = '';
if (@ARGV && $ARGV[0] eq '--ahead') {
	shift;
	$ahead = shift;
}
my @lines = map { "$_\n" } split /\n/, shift, -1;
pop @lines;
@lines = map { s/\x04\n/\x04/r } @lines ? @lines : ("\x04");

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
while (1) {
	my $n = sysread $master, my $bytes, 4096;
	last unless $n;
	print $bytes;
	$screen .= $bytes;
	if (@lines && substr($screen, $seen) =~ /: $/) {
		$seen = length $screen;
		# The prompt's reader throws away what came before it.
		select undef, undef, undef, 0.2;
		syswrite $master, shift @lines;
	}
}
waitpid $pid, 0;
exit $? >> 8;
