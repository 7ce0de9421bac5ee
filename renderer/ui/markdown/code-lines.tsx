import { memo, type CSSProperties } from 'react'
import type { ColouredLine } from './highlight-protocol.ts'

const toStyle = (light: string | null, dark: string | null): CSSProperties =>
  ({ '--day': light, '--night': dark }) as CSSProperties

const Line = memo(function Line({
  text,
  colours,
}: {
  text: string
  colours: ColouredLine | undefined
}) {
  const coloured = colours?.map(([piece]) => piece).join('') ?? ''
  if (!colours || !text.startsWith(coloured)) return <>{`${text}\n`}</>
  return (
    <>
      {colours.map(([piece, light, dark], index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a part of a line is identified by its index
        <span key={index} style={toStyle(light, dark)}>
          {piece}
        </span>
      ))}
      {`${text.slice(coloured.length)}\n`}
    </>
  )
})

/**
 * Code with syntax colours if available. A line that has grown keeps its colours; a changed line is
 * plain until it is highlighted again.
 */
export function CodeLines({
  code,
  lines,
}: {
  code: string
  lines: readonly ColouredLine[] | null
}) {
  if (!lines) return <>{code}</>
  // oxlint-disable-next-line react/no-array-index-key -- a line of code is identified by its index
  return code
    .split('\n')
    .map((text, index) => <Line key={index} text={text} colours={lines[index]} />)
}
