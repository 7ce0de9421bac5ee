import { Pencil, PencilOff, Play, RotateCcw, Square } from 'lucide-react'
import { type KeyboardEvent, useContext, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { type CodeCells, CodeCellsContext, type CodePiece } from '../../ui/markdown/code-cells.ts'
import { OutcomeView, TextPart } from '../../ui/code-output/outcome-view.tsx'
import type { KeepFile } from '../../ui/code-output/outcome-files.tsx'
import { announce } from '../../ui/layout/live-region.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { describeEnd } from './announce-run.ts'
import { type Cell, NEW_CELL, patchCell, toCellKey } from './cells-store.ts'
import { askCodeState, cellsStore, interpreter, readFiles } from './code-runtime.ts'
import { describeProgress } from './describe-progress.ts'
import { keepFile } from './keep-file.ts'
import { runCell } from './run-cell.ts'
import './code-cell.css'

const deps = { interpreter, askState: askCodeState, readFiles }

function useCell(code: string): { key: string; cell: Cell; cells: CodeCells | null } {
  const cells = useContext(CodeCellsContext)
  const key = toCellKey(cells?.messageId ?? '', code)
  const cell = useStore(cellsStore, (state) => state.cells[key]) ?? NEW_CELL
  return { key, cell, cells }
}

async function run(key: string, cells: CodeCells, code: string): Promise<void> {
  const outcome = await runCell(cellsStore, deps, {
    key,
    chatId: cells.chatId,
    code,
    files: cells.listFiles(),
  })
  if (outcome) announce(describeEnd(outcome))
}

/** Buttons to run, stop and edit, in the toolbar of a block. */
export function Controls({ code }: CodePiece) {
  const { t } = useTranslation()
  const { key, cell, cells } = useCell(code)
  if (!cells) return null
  const isRunning = cell.running !== null
  const edit = t(cell.isEditing ? 'code.editDone' : 'code.edit')
  const toggleEditor = (): void =>
    patchCell(cellsStore, key, { isEditing: !cell.isEditing, draft: cell.draft ?? code })
  const toggleRun = (): void =>
    cell.running ? cell.running.stop() : void run(key, cells, cell.draft ?? code)
  const label = isRunning ? 'code.stop' : cell.outcome ? 'code.again' : 'code.run'
  return (
    <>
      <button
        type="button"
        className="code-button"
        aria-label={edit}
        title={edit}
        aria-pressed={cell.isEditing}
        onClick={toggleEditor}
      >
        {cell.isEditing ? <PencilOff /> : <Pencil />}
      </button>
      <button
        type="button"
        className="code-run"
        title={t(isRunning ? 'code.stopTitle' : 'code.runTitle')}
        onClick={toggleRun}
      >
        {isRunning ? <Square className="fill-current" /> : cell.outcome ? <RotateCcw /> : <Play />}
        {t(label)}
      </button>
    </>
  )
}

function Editor({
  cellKey,
  draft,
  code,
  onRun,
}: {
  cellKey: string
  draft: string
  code: string
  onRun: () => void
}) {
  const { t } = useTranslation()
  const box = useRef<HTMLTextAreaElement>(null)
  const hint = useId()
  useEffect(() => box.current?.focus(), [])
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onRun()
  }
  return (
    <div className="cell-editor">
      <textarea
        ref={box}
        dir="ltr"
        spellCheck={false}
        autoCapitalize="off"
        value={draft}
        rows={Math.min(24, Math.max(3, draft.split('\n').length))}
        aria-label={t('code.editor')}
        aria-describedby={hint}
        onChange={(event) => patchCell(cellsStore, cellKey, { draft: event.target.value })}
        onKeyDown={handleKey}
      />
      <div className="cell-editor-foot">
        <span id={hint}>{t('code.editorHint')}</span>
        {draft !== code && (
          <button
            type="button"
            className="code-more-quiet"
            onClick={() => patchCell(cellsStore, cellKey, { draft: code })}
          >
            {t('code.discard')}
          </button>
        )}
      </div>
    </div>
  )
}

function Progress({ running }: { running: NonNullable<Cell['running']> }) {
  const { t } = useTranslation()
  const words = describeProgress(running.progress)
  // Screen readers receive each phase once, not each percent.
  const said = running.progress.phase === 'fetching' ? t('code.phase.fetching') : words
  useEffect(() => announce(said), [said])
  const text = running.pieces.map((piece) => piece.text).join('')
  return (
    <div className="output">
      <p className="cell-progress">
        <Spinner />
        {words}
      </p>
      <TextPart label={t('code.output')} text={text} />
    </div>
  )
}

const keep: KeepFile = async ({ name, bytes }) =>
  void (bytes && (await keepFile(name, bytes, new AbortController().signal)))

/** Editor, progress and result, below a block. */
export function Output({ code }: CodePiece) {
  const { key, cell, cells } = useCell(code)
  if (!cells || (!cell.isEditing && !cell.running && !cell.outcome)) return null
  const draft = cell.draft ?? code
  const handleRun = (): void => void run(key, cells, draft)
  return (
    <div className="cell" dir="auto">
      {cell.isEditing && <Editor cellKey={key} draft={draft} code={code} onRun={handleRun} />}
      {cell.running && <Progress running={cell.running} />}
      {cell.outcome && <OutcomeView outcome={cell.outcome} code={cell.ran} onKeep={keep} />}
    </div>
  )
}
