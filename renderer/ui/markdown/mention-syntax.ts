/**
 * Minimal types for the tokenizer of the markdown parser; the parser's own types are not a
 * dependency.
 */
type Code = number | null
type Step = (code: Code) => Step | undefined
interface Effects {
  enter(type: string): unknown
  exit(type: string): unknown
  consume(code: Code): void
}
interface TreeBuilder {
  readonly stack: { value?: string }[]
  enter(node: { type: string; value: string }, token: unknown): void
  exit(token: unknown): void
  sliceSerialize(token: unknown): string
}
interface Processor {
  data(): Record<string, unknown>
}

const LESS_THAN = 60
const GREATER_THAN = 62
const PREFIXES: readonly string[] = ['@U:', '@M:', '#C:']
const LONGEST = 600

/**
 * Tokenizes `<@U:id|name>`, `<@M:id|name>` and `<#C:id|name>` on one line; leaves anything else
 * with the same beginning to other rules.
 */
function tokenizeMention(effects: Effects, ok: Step, refuse: Step): Step {
  let read = ''
  const readOn: Step = (code) => {
    if (code === null || code < 0 || code === LESS_THAN || read.length > LONGEST)
      return refuse(code)
    if (code === GREATER_THAN) {
      if (read.length <= PREFIXES[0]!.length) return refuse(code)
      effects.consume(code)
      effects.exit('mention')
      return ok
    }
    read += String.fromCharCode(code)
    if (!PREFIXES.some((prefix) => prefix.startsWith(read.slice(0, prefix.length))))
      return refuse(code)
    effects.consume(code)
    return readOn
  }
  return (code) => {
    effects.enter('mention')
    effects.consume(code)
    return readOn
  }
}

const fromMarkdown = {
  enter: {
    // Its value is rendered as text; a name is never parsed as Markdown or a URL.
    mention(this: TreeBuilder, token: unknown) {
      this.enter({ type: 'mention', value: '' }, token)
    },
  },
  exit: {
    mention(this: TreeBuilder, token: unknown) {
      this.stack.at(-1)!.value = this.sliceSerialize(token)
      this.exit(token)
    },
  },
}

/** Plugin of the markdown parser that keeps mentions of users, models and channels in one token. */
export function keepMentions(this: unknown): void {
  const data = (this as Processor).data()
  const add = (list: string, extension: unknown): void => {
    data[list] = [...((data[list] as unknown[] | undefined) ?? []), extension]
  }
  add('micromarkExtensions', {
    text: { [LESS_THAN]: { name: 'mention', tokenize: tokenizeMention } },
  })
  add('fromMarkdownExtensions', fromMarkdown)
}
