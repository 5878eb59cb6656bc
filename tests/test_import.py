"""What `import arrayshim` loads, and whom it leaves alone."""

from __future__ import annotations

NEW_MODULES = """
import sys
import dask.array
before = set(sys.modules)
import arrayshim
arrayshim.enable()
new = set(sys.modules) - before
answer(sorted({name.partition(".")[0] for name in new}))
"""


def test_it_loads_itself_and_multipledispatch_and_nothing_else(bare):
    assert bare(NEW_MODULES) == ["arrayshim", "multipledispatch"]


def test_names_bound_by_a_user_before_stay_stock(bare, tmp_path):
    (tmp_path / "users_module.py").write_text(
        "from dask.array import eye, percentile\nfrom dask.array.reductions import mean_chunk\n"
        "def user(f=mean_chunk): return f\n"
    )
    bound = bare(
        """
        import users_module as user, dask.array as da, dask.array.reductions as reductions
        stock = user.eye, user.percentile, user.mean_chunk
        import arrayshim
        homes = lambda *functions: [f.__module__.partition(".")[0] for f in functions]
        answer({
            "same": stock == (user.eye, user.percentile, user.mean_chunk) and user.user() is stock[2],
            "user": homes(user.eye, user.percentile, user.mean_chunk, user.user()),
            "dask": homes(da.eye, da.percentile, reductions.mean_chunk),
        })
        """,
        path=(tmp_path,),
    )
    assert bound == {"same": True, "user": ["dask"] * 4, "dask": ["arrayshim"] * 3}


def test_no_holder_inside_dask_is_missed(bare):
    """Neither a module, class, function, dict nor default of dask refers to an object that was swapped out."""
    missed = bare(
        """
        import gc, sys
        import dask.array as da, dask.array.stats, dask.array.image, dask.array.gufunc, dask.array.cupy_entry_point
        da.ones(4, chunks=2).mean().compute(), da.percentile(da.ones(4, chunks=2), [50]).compute()
        import arrayshim
        from arrayshim import compat
        from arrayshim.fix import original

        meant = [r for fix in arrayshim.fixes.collect().values() for r in compat.meant_for_here(fix)]
        swapped = [replacement.target for replacement in meant if replacement.everywhere]
        # Where arrayshim itself keeps them: `original`, and the ledgers.
        changes = [change for ledger in sys.modules["arrayshim.applying"].applied.values() for change in ledger.changes]
        allowed = {id(vars(sys.modules["arrayshim.fix"])["_originals"])}
        allowed |= {id(cell) for change in changes for f in (change.read, change.write) for cell in f.__closure__}
        def name(holder):
            for module in list(sys.modules.values()):
                if getattr(module, "__dict__", None) is holder:
                    return module.__name__
            return repr(holder)[:200]
        missed = []
        for target in swapped:
            stock = original(target)
            for holder in gc.get_referrers(stock):
                if id(holder) in allowed or holder is globals() or type(holder).__name__ in ("frame", "Change"):
                    continue
                missed.append((target, type(holder).__name__, name(holder)))
        answer({"swapped": len(swapped), "missed": missed})
        """
    )
    assert missed["swapped"] >= 7
    assert missed["missed"] == []


def test_a_module_of_dask_that_is_imported_meanwhile_gets_stock_back(bare, tmp_path):
    bound = bare(
        f"""
        import dask, dask.array as da, dask.array.reductions as reductions
        stock = reductions.mean_chunk, da.eye
        import arrayshim
        dask.__path__.append({str(tmp_path)!r})
        import dask.arrayshim_late as late
        ours = late.mean_chunk, late.eye, late.user(), late.HELD["eye"], late.register_cupy
        arrayshim.disable()
        after = late.mean_chunk, late.eye, late.user(), late.HELD["eye"], late.register_cupy
        answer({{
            "ours": [type(f).__module__ == "arrayshim.tables" or f.__module__.startswith("arrayshim") for f in ours],
            "stock": after[:4] == (*stock, stock[0], stock[1]),
            "hook": after[4] is da.backends.register_cupy,
        }})
        """,
        path=(_late_module(tmp_path),),
    )
    assert bound == {"ours": [True] * 5, "stock": True, "hook": True}


def _late_module(folder):
    (folder / "arrayshim_late.py").write_text(
        "from dask.array import eye\nfrom dask.array.backends import register_cupy\n"
        "from dask.array.reductions import mean_chunk\n"
        "def user(*, f=mean_chunk): return f\nHELD = {'eye': eye}\n"
    )
    return folder
