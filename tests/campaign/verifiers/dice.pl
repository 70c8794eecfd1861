# The dice of labels, one "KEY LABEL COUNT SIDES" a line; written from section 5 of replays/README.md alone.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256);
while (<STDIN>) {
    chomp;
    my ($key, $label, $count, $sides) = split / /;
    my ($limit, $block, @dice) = (2**32 - 2**32 % $sides, 0);
    while (@dice < $count) {
        my $message = $block ? "$label#$block" : $label;
        push @dice, map { $_ % $sides + 1 } grep { $_ < $limit } unpack("N8", hmac_sha256($message, pack("H*", $key)));
        $block++;
    }
    print join(" ", @dice[0 .. $count - 1]), "\n";
}
