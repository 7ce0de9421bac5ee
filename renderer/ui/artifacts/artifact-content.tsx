import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../markdown/code-block.tsx'
import { Diagram } from '../markdown/diagram.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { ArtifactFrame } from './artifact-frame.tsx'
import type { FrameKind } from './artifact-protocol.ts'
import type { Artifact, ArtifactVersion } from './collect-artifacts.ts'
import { compareLines } from './compare-lines.ts'
import type { NetworkControl } from './use-network.ts'
import type { RunControl } from './use-run.ts'

const LOOK = {
  same: 'text-muted',
  removed: 'bg-danger-soft text-danger',
  added: 'bg-accent-soft text-accent-strong dark:text-accent',
} as const
const SIGN = { same: ' ', removed: '−', added: '+' } as const

/** Two versions compared line by line; symbols and labels convey the same as colours. */
export function ComparedVersions({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation()
  const lines = compareLines(before, after)
  if (lines.every(({ kind }) => kind === 'same'))
    return <p className="p-4 text-muted">{t('artifacts.compare.none')}</p>
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
    <pre tabIndex={0} dir="ltr" className="min-h-0 flex-1 overflow-auto py-2 font-mono text-ui">
      {lines.map(({ kind, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no other key than their index
        <div key={index} className={`min-w-max px-3 ${LOOK[kind]}`}>
          {kind !== 'same' && <span className="sr-only">{t(`artifacts.compare.${kind}`)} </span>}
          <span aria-hidden="true">{SIGN[kind]} </span>
          <code translate="no">{text}</code>
        </div>
      ))}
    </pre>
  )
}

/** Source code as text. */
export const SourceText = ({ code, language }: { code: string; language: string }) => (
  <div className="artifact-source">
    <CodeBlock code={code} language={language} />
  </div>
)

const RUNS: ReadonlySet<string> = new Set<FrameKind>(['html', 'svg', 'react'])

/** True if it runs in a separate frame; false if the page renders it. */
export const runsInFrame = (kind: Artifact['kind']): kind is FrameKind => RUNS.has(kind)

/** A rendered version. */
export function ArtifactContent({
  artifact: { kind, language },
  version: { source, isClosed },
  title,
  control,
  network,
}: {
  artifact: Artifact
  version: ArtifactVersion
  title: string
  control: RunControl
  network: NetworkControl | null
}) {
  // Components and diagrams cannot be rendered before they are complete.
  const isWhole = isClosed || kind === 'html' || kind === 'svg'
  if (runsInFrame(kind) && isWhole)
    return (
      <ArtifactFrame
        key={`${control.round} ${network?.round} ${network?.origins.join(' ')}`}
        kind={kind}
        source={source}
        isGrowing={!isClosed}
        title={title}
        openTicket={network?.openTicket}
        hearer={control.hearer}
        onRun={control.begin}
      />
    )
  if (kind === 'mermaid' && isWhole)
    return (
      <div className="min-h-0 flex-1 overflow-auto p-4">
        <Diagram source={source} />
      </div>
    )
  if (kind === 'markdown')
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      <div tabIndex={0} className="min-h-0 flex-1 overflow-auto p-4">
        <Markdown text={source} isGrowing={!isClosed} />
      </div>
    )
  return <SourceText code={source} language={language} />
}
