# Reads LLVM's text of a source that was compiled with -frounding-math, and replaces its constrained operations: what
# rounds becomes a call of web/wasm/rounding.c, whose mode it obeys; comparisons and what is exact become plain
# instructions. WebAssembly has no rounding modes, and LLVM's code for it ignores them. Fails if one is left.
use strict;
use warnings;

my %short = (float => 'f32', double => 'f64');
my (%declared, @lines);

# Returns a call of the operation's function, and notes what is to be declared.
sub called {
  my ($to, $name, $arguments) = @_;
  my @types = map { (split)[0] } split /, /, $arguments;
  my @named = $name =~ /^[su]itofp|^fptrunc/ ? ($types[0], $to) : $to;
  my $function = join '_', 'halfspace', $name, map { $short{$_} // $_ } @named;
  $declared{"declare $to \@$function(" . join(', ', @types) . ")\n"} = 1;
  return "call $to \@$function($arguments)";
}

sub replaced {
  my ($to, $name, $given) = @_;
  my ($predicate) = $given =~ /metadata !"([a-z]{2,3})"/;
  my $arguments = join ', ', grep { !/^metadata / } split /, (?=metadata |float |double |fp128 |i\d+ )/, $given;
  $arguments =~ s/\bnoundef //g;
  my @operands = split /, (?=float |double |fp128 |i\d+ )/, $arguments;
  # The library has no long double; what is there of it is the C library's.
  return "$name $operands[0] to $to" if $name =~ /^(?:fptrunc|[su]itofp)$/ and "$to $arguments" =~ /fp128/;
  return called($to, $name, $arguments) if $name =~ /^(?:fadd|fsub|fmul|fdiv|sqrt|fma|fptrunc|nearbyint|[su]itofp)$/;
  if ($name =~ /^fcmps?$/) {
    my ($type, $first) = split / /, $operands[0], 2;
    my $second = (split / /, $operands[1], 2)[1];
    return "fcmp $predicate $type $first, $second";
  }
  return "$name $operands[0] to $to" if $name =~ /^(?:fpext|fpto[su]i)$/;
  return "call $to \@llvm.$name.$short{$to}($arguments)" if $name =~ /^(?:floor|ceil|trunc|round|minnum|maxnum)$/
    and $declared{"declare $to \@llvm.$name.$short{$to}(" . join(', ', map { (split)[0] } @operands) . ")\n"} = 1;
  die "rounding.pl: no function for the operation $name\n";
}

while (my $line = <STDIN>) {
  next if $line =~ /^declare .*\@llvm\.experimental\.constrained\./;
  $line =~ s/(?<!")\bstrictfp\b(?!")/"rounds"/g;
  $line =~ s/(?:(?:tail|notail|musttail)\ )?call\ (?:noundef\ )?(\w+)\ \@llvm\.experimental\.constrained\.(\w+)\.[\w.]+
    \((.*?)\)(?=\ \#\d|,|$)/replaced($1, $2, $3)/xe
    and $line =~ s/ #\d+(?=$|,)//;
  die "rounding.pl: not understood: $line" if $line =~ /constrained/;
  push @lines, $line;
}
# What the module declares itself is not declared again.
my $text = join '', @lines;
delete @declared{grep { my ($name) = /(\@[\w.]+)\(/; $text =~ /^declare .*\Q$name\E\(/m } keys %declared};
print $text, sort keys %declared;
