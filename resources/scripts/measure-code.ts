// npm run measure: measures the size and structure of the code, by folder. With `-- --forwarders` it
// also lists the functions that only forward. Tests, fixtures and their helpers are left out. Lines
// are physical lines; tokens are also counted because they do not depend on the line width; a
// function is one with a name: declared, a method, a constructor or an arrow that is assigned to a
// name, including those inside other functions.
import {
  childrenOf,
  findCycles,
  importsOf,
  isNode,
  isTest,
  parse,
  readSources,
  resolveImport,
  type Import,
  type Source,
  type SyntaxNode,
} from './import-graph.ts'

const FOLDERS = ['server', 'renderer', 'main', 'preload', 'resources/scripts', 'e2e', 'bench']
/** Folders that are shipped; their total size is reported. */
const PRODUCT = ['server', 'renderer', 'main', 'preload']
const PARTS_NAME = /(Dependencies|Options|Parts|Tools)$/

interface NamedFunction {
  readonly lines: number
  readonly isNested: boolean
}

interface Measured {
  readonly file: string
  readonly lines: number
  readonly commentLines: number
  readonly imports: readonly Import[]
  readonly functions: NamedFunction[]
  readonly exportedTypes: string[]
  /** Place and text of each function that only forwards. */
  readonly forwarders: string[]
  readonly tally: Tally
}

/** Counts made node by node. */
const emptyTally = () => ({
  tokens: 0,
  factories: 0,
  classes: 0,
  picks: 0,
  conditionalSpreads: 0,
  partsInterfaces: 0,
  anys: 0,
  casts: 0,
})
type Tally = ReturnType<typeof emptyTally>

function total(files: readonly Measured[]): Tally {
  const all = emptyTally()
  for (const { tally } of files)
    for (const name of Object.keys(all) as (keyof Tally)[]) all[name] += tally[name]
  return all
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const isFunction = (value: unknown): value is SyntaxNode =>
  isNode(value) && FUNCTIONS.has(value.type)
const nameOf = (value: unknown): string | null =>
  isNode(value) && typeof value['name'] === 'string' ? value['name'] : null

/** Returns the function that a node names: a declaration, a method or an assigned arrow. */
function namedFunction(node: SyntaxNode): SyntaxNode | null {
  if (node.type === 'FunctionDeclaration') return node
  if (node.type === 'VariableDeclarator') return isFunction(node['init']) ? node['init'] : null
  if (['MethodDefinition', 'PropertyDefinition', 'Property'].includes(node.type))
    return isFunction(node['value']) ? node['value'] : null
  return null
}

/** Returns the only expression of a function body, if it consists of one. */
function onlyExpression(body: unknown): unknown {
  if (!isNode(body) || body.type !== 'BlockStatement') return body
  const [statement, ...others] = body['body'] as SyntaxNode[]
  if (!statement || others.length > 0) return null
  return statement.type === 'ReturnStatement' ? statement['argument'] : statement['expression']
}

/** Initialisers and types of values whose methods are not functions of this program. */
const BUILT_IN =
  /^(new )?(Readonly)?(Map|Set|WeakMap|WeakSet|Array|RegExp|AbortController|AsyncLocalStorage|URL)\b|\[\]$|^[[/'"`]|\bnew (Map|Set)\b/
/** Calls of a prepared statement, which only files of this name contain. */
const STATEMENT = { file: /(^|[/-])store\.ts$/, methods: new Set(['get', 'all', 'run']) }

/** Returns the names that a file imports from packages and from Node. */
const importedNames = (node: SyntaxNode): string[] => {
  const { source } = node
  if (node.type !== 'ImportDeclaration' || !isNode(source) || /^[.#]/.test(String(source['value'])))
    return []
  return (node['specifiers'] as SyntaxNode[]).map(({ local }) => nameOf(local) ?? '')
}

/**
 * Returns the text of what a file declares under each name: its type, otherwise its initialiser.
 * Names of other programs are left out.
 */
function readDeclarations(tree: SyntaxNode, text: string): Map<string, string> {
  const found = new Map<string, string>()
  const foreign = new Set((tree['body'] as SyntaxNode[]).flatMap(importedNames))
  const note = (name: unknown, type: unknown, value: unknown): void => {
    const key = nameOf(name)
    if (key === null) return
    const shown = isNode(type) ? type['typeAnnotation'] : value
    const declared = isNode(shown) ? text.slice(shown.start, shown.end) : ''
    const [, first = key] = /^(?:new )?([\w$]+)/.exec(declared) ?? []
    if (!foreign.has(first)) found.set(key, declared)
  }
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'PropertyDefinition') note(node['key'], node['typeAnnotation'], node['value'])
    else if (node.type === 'VariableDeclarator' && isNode(node['id']))
      note(node['id'], node['id']['typeAnnotation'], node['init'])
    else if (isNode(node['local'])) note(node['local'], null, null)
    else if (node.type === 'FunctionDeclaration') note(node['id'], null, null)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(tree)
  return found
}

/** Returns the variable or fields a method is called on; empty for another expression. */
function receiversOf({ object }: SyntaxNode): string[] {
  if (!isNode(object)) return []
  const name = nameOf(object.type === 'MemberExpression' ? object['property'] : object)
  return [...(name === null ? [] : [name]), ...receiversOf(object)]
}

/** Returns true for a method of this program's own objects. */
function isOwnMethod(
  callee: SyntaxNode,
  file: string,
  known: ReadonlyMap<string, string>,
): boolean {
  const method = nameOf(callee['property']) ?? ''
  if (STATEMENT.file.test(file) && STATEMENT.methods.has(method)) return false
  const declared = receiversOf(callee).filter((name) => known.has(name))
  return declared.length > 0 && !declared.some((name) => BUILT_IN.test(known.get(name)!))
}

/**
 * Returns true if a function only calls another one of this program with its own parameters, so that
 * its callers could call that one. Not counted are names for a regular expression, for a method of a
 * list, map or set, and for a prepared statement; and arrows in an object literal that bind a method
 * to its object.
 */
function isForwarder(
  { node, named }: { node: SyntaxNode; named: SyntaxNode },
  file: string,
  known: ReadonlyMap<string, string>,
): boolean {
  const said = withoutParentheses(onlyExpression(named['body']))
  const call = isNode(said) && said.type === 'AwaitExpression' ? said['argument'] : said
  if (!isNode(call) || call.type !== 'CallExpression') return false
  const names = (named['params'] as SyntaxNode[]).map(nameOf)
  const given = (call['arguments'] as SyntaxNode[]).map(nameOf)
  const passesOn =
    names.length > 0 &&
    names.length === given.length &&
    names.every((name, index) => name !== null && name === given[index])
  const { callee } = call
  if (!passesOn || !isNode(callee)) return false
  if (callee.type !== 'MemberExpression') return known.has(nameOf(callee) ?? '')
  return node.type !== 'Property' && isOwnMethod(callee, file, known)
}

/** Matches a word, an operator or a bracket, in text without comments and literals. */
const TOKEN =
  /[\w$#]+|=>|[=!]==?|[<>]=|>>>?=?|<<=?|[-+*/%&|^]=|\*\*=?|&&=?|\|\|=?|\?\?=?|\?\.|\.\.\.|\+\+|--|[^\s\w]/g
const LITERALS = new Set(['Literal', 'TemplateElement', 'JSXText'])

interface Range {
  readonly start: number
  readonly end: number
}

/** Counts words, operators, brackets and literals; a literal counts as one. */
function countTokens(text: string, literals: readonly Range[], comments: readonly Range[]): number {
  const blanks = [...literals, ...comments].toSorted((a, b) => a.start - b.start)
  let [rest, end] = ['', 0]
  for (const blank of blanks) {
    rest += `${text.slice(end, blank.start)} `
    end = blank.end
  }
  return literals.length + ((rest + text.slice(end)).match(TOKEN)?.length ?? 0)
}

const withoutParentheses = (value: unknown): unknown =>
  isNode(value) && value.type === 'ParenthesizedExpression' ? value['expression'] : value

function isConditionalSpread(node: SyntaxNode): boolean {
  const argument = withoutParentheses(node['argument'])
  return (
    node.type === 'SpreadElement' &&
    isNode(argument) &&
    ['LogicalExpression', 'ConditionalExpression'].includes(argument.type)
  )
}

function isCast({ type, typeAnnotation }: SyntaxNode): boolean {
  if (type === 'TSTypeAssertion') return true
  if (type !== 'TSAsExpression' || !isNode(typeAnnotation)) return false
  return nameOf(typeAnnotation['typeName']) !== 'const'
}

function count(tally: Tally, node: SyntaxNode): void {
  if (node.type === 'FunctionDeclaration' && /^create[A-Z]/.test(nameOf(node['id']) ?? ''))
    tally.factories += 1
  if (node.type === 'ClassDeclaration') tally.classes += 1
  if (node.type === 'TSTypeReference' && nameOf(node['typeName']) === 'Pick') tally.picks += 1
  if (isConditionalSpread(node)) tally.conditionalSpreads += 1
  if (node.type === 'TSInterfaceDeclaration' && PARTS_NAME.test(nameOf(node['id']) ?? ''))
    tally.partsInterfaces += 1
  if (node.type === 'TSAnyKeyword') tally.anys += 1
  if (isCast(node)) tally.casts += 1
}

/** Counts the lines that contain only a comment. */
function countCommentLines(text: string, comments: readonly Range[]) {
  const kinds = new Uint8Array(text.length)
  for (const { start, end } of comments) kinds.fill(1, start, end)
  let [lines, offset] = [0, 0]
  for (const line of text.split('\n')) {
    const isComment = [...line.matchAll(/\S/g)].every(({ index }) => kinds[offset + index] === 1)
    if (isComment && line.trim() !== '') lines += 1
    offset += line.length + 1
  }
  return lines
}

function exportedType(node: SyntaxNode): string | null {
  const { declaration } = node
  return node.type === 'ExportNamedDeclaration' &&
    isNode(declaration) &&
    /^TS(Interface|TypeAlias)Declaration$/.test(declaration.type)
    ? nameOf(declaration['id'])
    : null
}

function measureFile(source: Source): Measured {
  const { program, comments } = parse(source)
  const tree = program as unknown as SyntaxNode
  const tally = emptyTally()
  const functions: NamedFunction[] = []
  const exportedTypes: string[] = []
  const forwarders: string[] = []
  const literals: SyntaxNode[] = []
  const known = readDeclarations(tree, source.text)
  const visit = (node: SyntaxNode, isInside: boolean): void => {
    count(tally, node)
    if (LITERALS.has(node.type)) literals.push(node)
    const type = exportedType(node)
    if (type) exportedTypes.push(type)
    const named = namedFunction(node)
    if (named) {
      const text = source.text.slice(node.start, node.end)
      functions.push({ lines: text.split('\n').length, isNested: isInside })
      if (isForwarder({ node, named }, source.file, known)) {
        const line = source.text.slice(0, node.start).split('\n').length
        forwarders.push(`${source.file}:${line} ${text.replace(/\s+/g, ' ')}`)
      }
    }
    for (const child of childrenOf(node)) visit(child, isInside || named !== null)
  }
  visit(tree, false)
  tally.tokens = countTokens(source.text, literals, comments)
  return {
    file: source.file,
    lines: source.text.replace(/\n$/, '').split('\n').length,
    commentLines: countCommentLines(source.text, comments),
    imports: importsOf(tree),
    functions,
    exportedTypes,
    forwarders,
    tally,
  }
}

function at(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
const spread = (values: readonly number[], high: number): string =>
  `${at(values, 0.5)} · ${at(values, high)} · ${Math.max(0, ...values)}`

function inCycles(files: readonly Measured[], withTypes: boolean): number {
  const graph = new Map(
    files.map(({ file, imports }) => [
      file,
      imports
        .filter(({ isType }) => withTypes || !isType)
        .map(({ specifier }) => resolveImport(file, specifier))
        .filter((target) => target !== null),
    ]),
  )
  return findCycles(graph).flat().length
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const thousand = (value: number): string => value.toLocaleString('en')

/** Returns the figures of some files, each under its name. */
function describe(files: readonly Measured[]): Record<string, string> {
  const lines = sum(files.map((file) => file.lines))
  const functions = files.flatMap((file) => file.functions)
  const tally = total(files)
  const tokens = files.map((file) => file.tally.tokens)
  const types = new Map<string, number>()
  for (const name of files.flatMap((file) => [...new Set(file.exportedTypes)]))
    types.set(name, (types.get(name) ?? 0) + 1)
  const perThousand = (value: number) => ((value / lines) * 1000).toFixed(1)
  const percent = (value: number, of: number) => `${((value / Math.max(1, of)) * 100).toFixed(1)}%`
  const nested = functions.filter(({ isNested }) => isNested).length
  return {
    'files · lines': `${files.length} · ${thousand(lines)}`,
    'file lines p50 · p90 · max': spread(
      files.map((file) => file.lines),
      0.9,
    ),
    'function lines p50 · p99 · max': spread(
      functions.map((named) => named.lines),
      0.99,
    ),
    tokens: thousand(tally.tokens),
    'tokens a line': (tally.tokens / lines).toFixed(1),
    'tokens a file p50 · max': `${at(tokens, 0.5)} · ${Math.max(0, ...tokens)}`,
    'functions in another one': `${nested} of ${functions.length} (${percent(nested, functions.length)})`,
    'files in cycles of values · with types': `${inCycles(files, false)} · ${inCycles(files, true)}`,
    'imports a file': (sum(files.map((file) => file.imports.length)) / files.length).toFixed(1),
    'comment lines': percent(sum(files.map((file) => file.commentLines)), lines),
    'createX functions : classes': `${tally.factories} : ${tally.classes}`,
    'Pick<…> in types': String(tally.picks),
    'conditional spreads / 1,000 lines': perThousand(tally.conditionalSpreads),
    'functions that only forward': String(files.flatMap((file) => file.forwarders).length),
    'interfaces …Dependencies/Options/Parts/Tools': String(tally.partsInterfaces),
    'any · casts / 1,000 lines': `${perThousand(tally.anys)} · ${perThousand(tally.casts)}`,
    'type names exported by several files': String(
      [...types.values()].filter((times) => times > 1).length,
    ),
  }
}

if (import.meta.main) {
  const files = readSources()
    .filter(({ file }) => !isTest(file) && !/__fixtures__|\/testing\//.test(file))
    .map(measureFile)
  const inFolders = (names: readonly string[]) =>
    files.filter(({ file }) => names.some((name) => file.startsWith(`${name}/`)))
  const groups: [string, readonly Measured[]][] = [
    ...FOLDERS.map((name): [string, readonly Measured[]] => [name, inFolders([name])]),
    ['all', inFolders(FOLDERS)],
  ]
  if (process.argv.includes('--forwarders'))
    for (const line of inFolders(FOLDERS).flatMap((file) => file.forwarders)) console.log(line)
  const rows = groups.map(([, group]) => describe(group))
  console.log(`| | ${groups.map(([name]) => name).join(' | ')} |`)
  console.log(`|---|${groups.map(() => '---|').join('')}`)
  for (const name of Object.keys(rows[0]!))
    console.log(`| ${name} | ${rows.map((row) => row[name]).join(' | ')} |`)
  const { tokens } = total(inFolders(PRODUCT))
  console.log(`\nTokens of the product (${PRODUCT.join(', ')}): ${thousand(tokens)}`)
}
