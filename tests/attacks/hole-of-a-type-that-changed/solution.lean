def Number : Type := Prop
def answer : Number := True
theorem goal : answer = answer := rfl
