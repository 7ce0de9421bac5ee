/**
 * Runs code of a plugin an administrator installed, as the body of an async function of this page
 * (specification, Plugin events, rule 4). The page's policy has no eval; a module made here is as
 * much this page's as its other modules.
 */
export async function runCode(code: string): Promise<unknown> {
  const address = URL.createObjectURL(
    new Blob([`export default async () => {\n${code}\n}`], { type: 'text/javascript' }),
  )
  try {
    const module = (await import(/* @vite-ignore */ address)) as { default: () => Promise<unknown> }
    const result: unknown = await module.default()
    // What cannot be written as JSON cannot travel.
    return result === undefined ? null : (JSON.parse(JSON.stringify(result) ?? 'null') as unknown)
  } finally {
    URL.revokeObjectURL(address)
  }
}
