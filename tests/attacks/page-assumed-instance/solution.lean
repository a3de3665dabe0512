theorem goal [odd : OfNat Nat (nat_lit 5)] [Add Nat] (a b : Nat) :
    @OfNat.ofNat Nat (nat_lit 5) odd = @OfNat.ofNat Nat (nat_lit 5) (instOfNatNat (nat_lit 5)) ∧ a + b = b + a := sorry
