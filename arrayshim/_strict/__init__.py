"""How `arrayshim.strict` is made: CuPy's rules, one subject to a module. Everything here is private."""
