import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The type declarations of a published package, for tests that compare the gateway's output with
 * them.
 */
export class PublishedTypes {
  readonly #text: string

  /** `file` is relative to the folder of the package, e.g. `resources/messages/messages.d.ts`. */
  constructor(name: string, file: string) {
    this.#text = readFileSync(
      fileURLToPath(new URL(`../../node_modules/${name}/${file}`, import.meta.url)),
      'utf8',
    ).replace(/\/\*\*.*?\*\//gs, '')
  }

  /**
   * Returns the property names of an interface, `Outer.Inner` for one of a namespace; empty if
   * there is none.
   */
  fields(name: string): string[] {
    return [...this.#body(name).matchAll(/^( +)(?:readonly )?([A-Za-z_]\w*)\??:/gm)]
      .filter(([, indent], _index, [first]) => indent === first![1])
      .map(([, , field]) => field!)
  }

  /** Returns the member names of a union, with nested unions expanded. */
  members(name: string): string[] {
    const union = new RegExp(`export type ${name} = ([^;{]+);`).exec(this.#text)?.[1]
    return union === undefined
      ? [name]
      : union.split('|').flatMap((member) => this.members(member.trim()))
  }

  /**
   * Returns the values of the property `type` of the members of a union; the name of the interface
   * if it has none.
   */
  kinds(union: string): string[] {
    return this.members(union).flatMap((name) => {
      const values = /^ +type\??: ([^;]+);/m.exec(this.#body(name))?.[1]
      const literals = [...(values ?? '').matchAll(/'([^']+)'/g)].map(([, literal]) => literal!)
      return literals.length > 0 ? literals : [name]
    })
  }

  #body(name: string): string {
    const inner = name.split('.').at(-1)!
    const outer = name.includes('.') ? name.split('.')[0]! : null
    const start = outer === null ? 0 : this.#text.search(new RegExp(`namespace ${outer} \\{`))
    return (
      new RegExp(
        `^( *)(?:export )?interface ${inner}(?: extends [^{]+)? \\{\\n(.*?)^\\1\\}`,
        'ms',
      ).exec(this.#text.slice(start))?.[2] ?? ''
    )
  }
}
