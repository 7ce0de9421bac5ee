import { Check, ChevronsDown, ChevronsUp, Copy, WrapText, X } from 'lucide-react'
import { memo, Suspense, useContext, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { whyNotCopied } from '../../lib/clipboard.ts'
import { BarButton } from './bar-button.tsx'
import { ArtifactsContext } from '../artifacts/artifacts-context.ts'
import { canRun, CodeCellsContext } from './code-cells.ts'
import { CodeLines } from './code-lines.tsx'
import { isOnPhone } from '../document-viewer/is-on-phone.ts'
import { useCopy } from './use-copy.ts'
import { useHighlight } from './use-highlight.ts'
import './code-block.css'

interface CodeBlockProps {
  readonly code: string
  readonly language: string
  /** False while the code is being streamed. */
  readonly isClosed?: boolean
}

function CopyButton({ code }: { code: string }) {
  const { t } = useTranslation()
  const { state, copy } = useCopy()
  const labels = {
    idle: t('chat.code.copy'),
    copied: t('chat.copied'),
    failed: whyNotCopied(),
  }
  const icons = { idle: <Copy />, copied: <Check />, failed: <X /> }
  return <BarButton label={labels[state]} icon={icons[state]} onClick={() => void copy(code)} />
}

/** True when the code is taller than its box. */
function useOverflow(code: string) {
  const box = useRef<HTMLPreElement>(null)
  const [overflows, setOverflows] = useState(false)
  const lines = code.length > 2000 ? 60 : code.split('\n').length
  useLayoutEffect(() => {
    // Short code never overflows; measuring it would cost a layout for each block of a chat that
    // opens.
    const element = box.current
    setOverflows(lines > 20 && element !== null && element.scrollHeight > element.clientHeight + 4)
  }, [lines, code.length])
  return { box, overflows }
}

/**
 * A code block with its language, a copy button, line wrapping, on phones from the start, and an
 * expandable height.
 */
export const CodeBlock = memo(function CodeBlock({
  code,
  language,
  isClosed = true,
}: CodeBlockProps) {
  const { t } = useTranslation()
  const [isWrapped, setWrapped] = useState(isOnPhone)
  const [isExpanded, setExpanded] = useState(false)
  const { box, overflows } = useOverflow(code)
  const lines = useHighlight(code, language, isClosed)
  const name = language || t('chat.code.plain')
  const parts = useContext(CodeCellsContext)
  const artifacts = useContext(ArtifactsContext)
  const cell = isClosed && canRun(language) ? parts : null
  return (
    <figure className="code-block" dir="ltr" aria-label={t('chat.code.label', { language: name })}>
      <div className="code-bar">
        <span className="code-language">{name}</span>
        <BarButton
          label={t('chat.code.wrap')}
          icon={<WrapText />}
          pressed={isWrapped}
          onClick={() => setWrapped(!isWrapped)}
        />
        <CopyButton code={code} />
        {artifacts && (
          <Suspense>
            <artifacts.Opener code={code} language={language} />
          </Suspense>
        )}
        {cell && (
          <Suspense>
            <cell.Controls code={code} language={language} />
          </Suspense>
        )}
      </div>
      <pre
        ref={box}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        data-wrapped={isWrapped || undefined}
        data-expanded={isExpanded || undefined}
      >
        <code translate="no">
          <CodeLines code={code} lines={lines} />
        </code>
      </pre>
      {(overflows || isExpanded) && (
        <button type="button" className="code-more" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? <ChevronsUp /> : <ChevronsDown />}
          {isExpanded ? t('chat.code.less') : t('chat.code.more')}
        </button>
      )}
      {cell && (
        <Suspense>
          <cell.Output code={code} language={language} />
        </Suspense>
      )}
    </figure>
  )
})
