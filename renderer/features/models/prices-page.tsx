import '../../lib/strings/model-editor.ts'
import { ArrowDown, ArrowUp, Coins, Plus, X } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Model } from '#contract/models.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { inputClasses } from '../../ui/fields/field.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { emptyLine, type PriceLine, priceFor, toPriceLines, toPrices } from './price-table.ts'

interface LineRowProps {
  readonly line: PriceLine
  readonly number: number
  readonly listId: string
  readonly onChange: (part: Partial<PriceLine>) => void
  readonly onMove: (step: 1 | -1) => void
  readonly onRemove: () => void
}

const CELL = 'block px-1 py-1 sm:table-cell sm:py-1.5'

function LineRow({ line, number, listId, onChange, onMove, onRemove }: LineRowProps) {
  const { t } = useTranslation()
  const field = (
    name: 'model' | 'input' | 'output' | 'currency',
    className: string,
    extra: object = {},
  ) => (
    <td className={`${CELL} ${className}`}>
      <span aria-hidden="true" className="mb-0.5 block text-small text-muted sm:hidden">
        {t(`models.prices.${name}`)}
      </span>
      <input
        aria-label={t('models.prices.cell', { column: t(`models.prices.${name}`), number })}
        required
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
        value={line[name]}
        onChange={(event) => onChange({ [name]: event.target.value })}
        className={inputClasses}
        {...extra}
      />
    </td>
  )
  return (
    <tr className="grid grid-cols-3 border-b border-line py-2 sm:table-row sm:border-0">
      {field('model', 'col-span-3 sm:w-full', { list: listId, maxLength: 512 })}
      {field('input', 'sm:min-w-28', {
        inputMode: 'decimal',
        pattern: '\\d+([.,]\\d+)?',
        title: t('models.prices.amountRule'),
      })}
      {field('output', 'sm:min-w-28', {
        inputMode: 'decimal',
        pattern: '\\d+([.,]\\d+)?',
        title: t('models.prices.amountRule'),
      })}
      {field('currency', 'sm:min-w-20', {
        maxLength: 3,
        pattern: '[A-Za-z]{3}',
        title: t('models.prices.currencyRule'),
      })}
      <td className={`${CELL} col-span-3 whitespace-nowrap`}>
        <IconButton
          label={t('models.prices.up', { number })}
          icon={<ArrowUp />}
          disabled={number === 1}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={t('models.prices.down', { number })}
          icon={<ArrowDown />}
          onClick={() => onMove(1)}
        />
        <IconButton label={t('models.prices.remove', { number })} icon={<X />} onClick={onRemove} />
      </td>
    </tr>
  )
}

function moveLine(lines: readonly PriceLine[], from: number, step: 1 | -1): readonly PriceLine[] {
  const to = from + step
  const line = lines[from]
  if (!line || to < 0 || to >= lines.length) return lines
  const others = lines.filter((each) => each !== line)
  return [...others.slice(0, to), line, ...others.slice(to)]
}

/** Shows which models have a price according to the edited rows. */
function Coverage({ lines, models }: { lines: readonly PriceLine[]; models: readonly Model[] }) {
  const { t } = useTranslation()
  const prices = toPrices(lines)
  const leaving = models.filter(({ connection_type: type }) => type === 'external')
  const without = leaving.filter(({ id }) => !priceFor(prices, id))
  if (leaving.length === 0) return null
  return (
    <p className="text-small text-pretty text-muted">
      {without.length === 0
        ? t('models.prices.allCovered')
        : t('models.prices.without', {
            count: without.length,
            names: without
              .slice(0, 5)
              .map(({ name }) => name)
              .join(', '),
          })}
    </p>
  )
}

function PriceForm({ start, models }: { start: readonly PriceLine[]; models: readonly Model[] }) {
  const { t } = useTranslation()
  const listId = useId()
  const [lines, setLines] = useState(start)
  const [stored, setStored] = useState(start)
  const saving = useAction(async () => {
    const saved = toPriceLines(
      await call(endpoints.models.updatePrices, { body: { prices: toPrices(lines) } }),
    )
    // Text typed meanwhile is kept.
    setLines((shown) => (shown === lines ? saved : shown))
    setStored(saved)
    toast({ text: t('models.prices.saved') })
  })
  const add = (): void =>
    setLines([
      ...lines,
      emptyLine(Math.max(-1, ...lines.map(({ key }) => key)) + 1, lines.at(-1)?.currency),
    ])
  const change = (key: number, part: Partial<PriceLine>): void =>
    setLines(lines.map((line) => (line.key === key ? { ...line, ...part } : line)))
  return (
    <form onSubmit={saving.handleSubmit} className="flex flex-col gap-4">
      <FormProblem text={saving.problem} />
      <datalist id={listId}>
        {models.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </datalist>
      {lines.length === 0 ? (
        <EmptyList
          icon={<Coins />}
          title={t('models.prices.none')}
          action={
            <Button tone="primary" icon={<Plus className="size-4" />} onClick={add}>
              {t('models.prices.add')}
            </Button>
          }
        >
          {t('models.prices.noneHint')}
        </EmptyList>
      ) : (
        <table className="block w-full sm:table">
          <caption className="sr-only">{t('workspace.areas.prices')}</caption>
          <thead className="hidden sm:table-header-group">
            <tr className="text-start text-small text-muted">
              {(['model', 'input', 'output', 'currency'] as const).map((name) => (
                <th key={name} scope="col" className="px-1 text-start font-medium">
                  {t(`models.prices.${name}`)}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">{t('models.prices.line')}</span>
              </th>
            </tr>
          </thead>
          <tbody className="block sm:table-row-group">
            {lines.map((line, place) => (
              <LineRow
                key={line.key}
                line={line}
                number={place + 1}
                listId={listId}
                onChange={(part) => change(line.key, part)}
                onMove={(step) => setLines(moveLine(lines, place, step))}
                onRemove={() => setLines(lines.filter((each) => each !== line))}
              />
            ))}
          </tbody>
        </table>
      )}
      <Coverage lines={lines} models={models} />
      {(lines.length > 0 || lines !== stored) && (
        <div className="flex flex-wrap gap-2">
          {lines.length > 0 && (
            <Button icon={<Plus className="size-4" />} onClick={add} className="me-auto">
              {t('models.prices.add')}
            </Button>
          )}
          <Button disabled={lines === stored} onClick={() => setLines(stored)}>
            {t('modelEditor.editor.discard')}
          </Button>
          <Button tone="primary" type="submit" busy={saving.busy} disabled={lines === stored}>
            {t('common.save')}
          </Button>
        </div>
      )}
    </form>
  )
}

/** Prices of models per million tokens; the costs shown beside answers are calculated from them. */
export function PricesPage({ models }: { models: readonly Model[] }) {
  const { t } = useTranslation()
  const {
    value: start,
    problem,
    reload,
  } = useLoaded(async () => toPriceLines(await call(endpoints.models.prices, {})), [])
  return (
    <>
      <p className="mb-5 max-w-prose text-pretty text-muted md:-mt-2">{t('models.prices.text')}</p>
      {start && <PriceForm start={start} models={models} />}
      {!start && problem === null && <PageWait />}
      {!start && problem !== null && (
        <FailedLine title={t('models.prices.loadFailed')} problem={problem} onRetry={reload} />
      )}
    </>
  )
}
