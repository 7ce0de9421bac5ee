import { describe, expect, it } from 'vitest'
import { placeRuns } from './place-runs.ts'
import { splitAnswer } from './split-answer.ts'

const ticks = '```'
const block = (id: string, code: string, fence = ticks): string =>
  `<details type="code_interpreter" done="true" id="${id}" duration="0.4" output="&quot;42&quot;">\n<summary>Analyzed</summary>\n${fence}python\n${code}\n${fence}\n</details>\n`
const call = (name: string, code: string): string => {
  const args = JSON.stringify(JSON.stringify({ code })).replaceAll('"', '&quot;')
  return `<details type="tool_calls" done="true" id="c" name="${name}" arguments="${args}" files="" embeds="&quot;&quot;" result="&quot;42&quot;">\n<summary>Tool Executed</summary>\n&quot;42&quot;\n</details>\n`
}
const run = (id: string, code: string, result: object | undefined = { output: '42' }) => ({
  id,
  code,
  language: 'python',
  result,
})
const place = (text: string, ...told: unknown[]) => placeRuns(splitAnswer(text), told)

describe('runs of code', () => {
  it('that were written as blocks stand where they were written, with what was told of them', () => {
    const text = `Let me see.\n\n${block('r1', 'x = 1')}\n${block('r2', 'y')}\nDone.`
    expect(place(text, run('r1', 'x = 1'), run('r2', 'y'))).toEqual({
      parts: [
        { kind: 'text', text: 'Let me see.\n\n' },
        { kind: 'runs', runs: [run('r1', 'x = 1'), run('r2', 'y')] },
        { kind: 'text', text: '\nDone.' },
      ],
      rest: [],
    })
  })

  it('that were called as a tool stand where they were called, and other calls stay calls', () => {
    const { parts, rest } = place(
      `${call('clock', '')}${call('execute_code', 'a')}${call('clock', '')}`,
      run('r1', 'a'),
    )
    expect(parts.map(({ kind }) => kind)).toEqual(['calls', 'runs', 'calls'])
    expect([parts[1], rest]).toEqual([{ kind: 'runs', runs: [run('r1', 'a')] }, []])
  })

  it('of which nothing was told show what the block holds', () => {
    expect(place(call('execute_code', 'a')).parts).toEqual([
      { kind: 'runs', runs: [{ code: 'a', language: 'python', result: { output: '42' } }] },
    ])
    const tricky = `print("<\\/details>", "${ticks}")`
    expect(place(block('r', tricky, '````')).parts).toEqual([
      {
        kind: 'runs',
        runs: [
          { code: `print("</details>", "${ticks}")`, language: 'python', result: { output: '' } },
        ],
      },
    ])
  })

  it('that the text does not name yet, as one under way, come last', () => {
    const underWay = run('r2', 'a', undefined)
    expect(place(`Hm. ${call('execute_code', 'a')}`, run('r1', 'a'), underWay).rest).toEqual([
      underWay,
    ])
    expect(place('Hm.', 7, null, underWay)).toEqual({
      parts: [{ kind: 'text', text: 'Hm.' }],
      rest: [underWay],
    })
  })

  it('that are still being written are not shown half', () => {
    expect(place(`Look.\n${block('r1', 'x').slice(0, 60)}`).parts).toEqual([
      { kind: 'text', text: 'Look.\n' },
    ])
  })

  it('are found quickly in a long text full of beginnings', () => {
    expect(place('<details type="code_interpreter" a="'.repeat(20_000)).parts).toEqual([])
    expect(
      place(
        `<details type="code_interpreter">\n<summary>A</summary>\n${ticks}python\n`.repeat(20_000),
      ).parts,
    ).toEqual([])
  })
})
