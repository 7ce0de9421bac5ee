/** Folder in which code finds files of the user, and stores files for the user. */
export const UPLOADS_FOLDER = '/mnt/uploads'

/** Name of the module defined by `PYTHON_CELL`. */
export const CELL_MODULE = 'gateway_cell'

/**
 * Python code that runs cells, identical in a window and in a process of the gateway: evaluate
 * `PYTHON_CELL` once, then call `await gateway_cell.run(code, output_limit, missing)` for each
 * cell. It returns JSON text: `{status, stdout, stderr, result, error, html, pictures, files}`,
 * where `pictures` are data URIs and `files` the names and sizes of files written below
 * `UPLOADS_FOLDER`. `gateway_cell.listen(hear)` calls `hear(stream, text)` with output while it is
 * written. `missing` maps the import names of packages that were not fetched to the error message
 * of such an import.
 *
 * @NOTE Its restrictions, such as those on modules that lead out of Python, prevent accidents only.
 *   The effective isolation is around the runtime.
 */
export const PYTHON_CELL = String.raw`
import sys, types

def _make():
    import ast, base64, io, json, linecache, os, traceback
    from pyodide.code import eval_code_async

    UPLOADS = "/mnt/uploads"
    NAME = "<cell>"
    os.makedirs(UPLOADS, exist_ok=True)
    os.chdir(UPLOADS)
    os.environ["MPLBACKEND"] = "agg"
    CLOSED = {"js", "pyodide_js"}
    missing = {}
    listeners = []

    class Closed:
        """Answers imports that lead nowhere here with a sentence."""
        def find_spec(self, name, path=None, target=None):
            top = name.partition(".")[0]
            if top in CLOSED:
                raise ModuleNotFoundError(f"The module {name!r} is not available to code.", name=name)
            if top in missing:
                raise ModuleNotFoundError(missing[top], name=name)
            return None

    class Output(io.TextIOBase):
        """Keeps what is written up to a limit of bytes shared with the other stream, and counts the rest."""
        def __init__(self, name, room):
            self.name, self.parts, self.room = name, [], room
        def writable(self):
            return True
        @property
        def encoding(self):
            return "utf-8"
        def isatty(self):
            return False
        def write(self, text):
            if not isinstance(text, str):
                raise TypeError(f"write() argument must be str, not {type(text).__name__}")
            left = self.room["left"]
            if left <= 0:
                self.room["cut"] = True
                return len(text)
            # A slice first, so that text of a gigabyte is not encoded as a whole.
            data = text[: left + 1].encode("utf-8", "replace")
            if len(data) > left:
                self.room["cut"] = True
                data = data[:left]
            self.room["left"] = left - len(data)
            kept = data.decode("utf-8", "ignore")
            self.parts.append(kept)
            for hear in listeners:
                hear(self.name, kept)
            return len(text)
        def text(self):
            return "".join(self.parts)

    def snapshot():
        found = {}
        for folder, folders, names in os.walk(UPLOADS):
            for name in names:
                path = os.path.join(folder, name)
                try:
                    facts = os.lstat(path)
                except OSError:
                    continue
                if os.path.isfile(path) and not os.path.islink(path):
                    found[path] = (facts.st_mtime_ns, facts.st_size)
            if len(found) > 1000:
                break
        return found

    def as_picture(data):
        return "data:image/png;base64," + base64.b64encode(data).decode()

    def figures():
        pyplot = sys.modules.get("matplotlib.pyplot")
        found = []
        if pyplot is None:
            return found
        drawn = pyplot.get_fignums()
        if len(drawn) > 20:
            sys.stderr.write("[The code drew more than 20 figures; the rest is left out.]\n")
        for number in drawn[:20]:
            held = io.BytesIO()
            pyplot.figure(number).savefig(held, format="png", bbox_inches="tight")
            found.append(as_picture(held.getvalue()))
        pyplot.close("all")
        return found

    def show(value, shown):
        if value is None:
            return
        image = sys.modules.get("PIL.Image")
        if image is not None and isinstance(value, image.Image):
            held = io.BytesIO()
            value.save(held, format="PNG")
            shown["pictures"].append(as_picture(held.getvalue()))
            return
        png = getattr(type(value), "_repr_png_", None)
        data = png(value) if callable(png) else None
        if isinstance(data, bytes):
            shown["pictures"].append(as_picture(data))
            return
        pandas = sys.modules.get("pandas")
        if pandas is not None and isinstance(value, pandas.DataFrame):
            html = value.to_html(max_rows=60, max_cols=30, notebook=True)
            shown["html"] = html if len(html) <= 200_000 else None
        text = repr(value)
        shown["result"] = text if len(text) <= 100_000 else text[:100_000] + "…"

    def describe(error):
        frames = traceback.extract_tb(error.__traceback__)
        own = [each for each in frames if each.filename == NAME]
        line = own[-1].lineno if own else None
        if isinstance(error, SyntaxError) and error.filename == NAME:
            line = error.lineno
        start = next((index for index, each in enumerate(frames) if each.filename == NAME), len(frames))
        kept = traceback.StackSummary.from_list(frames[start:][-30:])
        lines = ["Traceback (most recent call last):\n", *kept.format()] if kept else []
        lines += traceback.format_exception_only(type(error), error)
        try:
            message = str(error)
        except Exception:
            message = ""
        name = type(error).__name__
        trace = "".join(lines)[-20_000:]
        return {"name": name[:1000], "message": message[:20_000], "line": line if isinstance(line, int) and line > 0 else None, "traceback": trace}

    space = {"__name__": "__main__", "__builtins__": __builtins__}

    async def run(code, limit, missing_imports):
        missing.clear()
        missing.update(json.loads(missing_imports))
        room = {"left": limit, "cut": False}
        out, err = Output("stdout", room), Output("stderr", room)
        shown = {"result": None, "html": None, "pictures": []}
        error = None
        linecache.cache[NAME] = (len(code), None, [line + "\n" for line in code.split("\n")], NAME)
        before = snapshot()
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = out, err
        try:
            value = await eval_code_async(code, space, filename=NAME)
            show(value, shown)
            shown["pictures"] = figures() + shown["pictures"]
        except SystemExit as leaving:
            if leaving.code not in (None, 0):
                error = describe(leaving)
        except BaseException as thrown:
            error = describe(thrown)
            thrown.__traceback__ = None
        finally:
            sys.stdout, sys.stderr = streams
        stderr = err.text() + (error["traceback"] if error else "")
        if room["cut"]:
            stderr += f"\n[The output is longer than {limit} bytes; the rest is left out.]"
        after = snapshot()
        files = [{"path": path, "size": facts[1]} for path, facts in after.items() if before.get(path) != facts]
        if len(files) > 100:
            stderr += "\n[The code wrote more than 100 files; the rest is left out.]"
        return json.dumps({
            "status": "error" if error else "ok", "stdout": out.text(), "stderr": stderr, "error": error, "files": files[:100], **shown,
        })

    for name in list(sys.modules):
        if name in CLOSED:
            del sys.modules[name]
    sys.meta_path.insert(0, Closed())
    module = types.ModuleType("gateway_cell")
    module.run = run
    module.listen = listeners.append
    return module

sys.modules["gateway_cell"] = _make()
`
