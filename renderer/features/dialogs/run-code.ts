/**
 * Runs code of a plugin installed by an administrator, as the body of an async function of this
 * page (specification, Plugin events, rule 4). The page's policy forbids eval; a module created
 * here has the same rights as the page's other modules.
 */
export async function runCode(code: string): Promise<unknown> {
  const address = URL.createObjectURL(
    new Blob([`export default async () => {\n${code}\n}`], { type: 'text/javascript' }),
  )
  try {
    const module = (await import(/* @vite-ignore */ address)) as { default: () => Promise<unknown> }
    const result: unknown = await module.default()
    // Values that cannot be serialised as JSON cannot be sent.
    return result === undefined ? null : (JSON.parse(JSON.stringify(result) ?? 'null') as unknown)
  } finally {
    URL.revokeObjectURL(address)
  }
}
