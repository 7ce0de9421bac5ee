import { Upload } from 'lucide-react'
import { type ChangeEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { SelectBox } from '../../ui/controls/select.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import {
  guessPlaces,
  type NodePlace,
  type NodeType,
  readPlaces,
  readWorkflow,
  usualInput,
  withPlace,
  type WorkflowNode,
  writePlaces,
} from './workflow.ts'

interface WorkflowFieldsProps {
  readonly workflow: string
  readonly nodes: string
  readonly types: readonly NodeType[]
  readonly isLocked: boolean
  readonly onChange: (part: { readonly workflow?: string; readonly nodes?: string }) => void
}

interface PlaceRowProps {
  readonly type: NodeType
  readonly place: NodePlace | undefined
  readonly nodes: readonly WorkflowNode[]
  readonly isLocked: boolean
  readonly onChange: (ids: readonly string[], key: string) => void
}

const SEPARATOR = ', '

/** One value with its target node and input. */
function PlaceRow({ type, place, nodes, isLocked, onChange }: PlaceRowProps) {
  const { t } = useTranslation()
  const id = useId()
  const ids = place?.node_ids ?? []
  const chosen = ids.join(SEPARATOR)
  const node = nodes.find((each) => each.id === ids[0])
  const known = nodes.map((each) => ({
    value: each.id,
    label: `${each.id} · ${each.title}`,
    isExempt: true,
  }))
  const isKnown = chosen === '' || known.some(({ value }) => value === chosen)
  const inputs = node?.inputs ?? []
  const key = place?.key ?? ''
  return (
    <tr className="max-sm:grid max-sm:grid-cols-2 max-sm:gap-2 max-sm:py-2">
      <th
        scope="row"
        id={id}
        className="w-[26%] py-1 pe-3 text-start text-ui font-medium max-sm:col-span-2 max-sm:w-auto max-sm:p-0"
      >
        {t(`pictures.settings.nodes.${type}`)}
      </th>
      <td className="w-[44%] py-1 pe-2 max-sm:w-auto max-sm:p-0">
        <SelectBox
          aria-label={t('pictures.settings.workflow.nodeOf', {
            value: t(`pictures.settings.nodes.${type}`),
          })}
          disabled={isLocked}
          value={chosen}
          options={[
            { value: '', label: t('pictures.settings.workflow.nowhere') },
            ...known,
            ...(isKnown ? [] : [{ value: chosen, label: chosen, isExempt: true }]),
          ]}
          onChange={(value) => {
            const next = nodes.find((each) => each.id === value)
            if (next) onChange([next.id], usualInput(next, type))
            else onChange(value === '' ? [] : ids, key)
          }}
        />
      </td>
      <td className="py-1 max-sm:p-0">
        <SelectBox
          aria-label={t('pictures.settings.workflow.inputOf', {
            value: t(`pictures.settings.nodes.${type}`),
          })}
          disabled={isLocked || ids.length === 0}
          value={key}
          options={[...new Set([...inputs, key])]
            .filter(Boolean)
            .map((value) => ({ value, label: value, isExempt: true }))}
          onChange={(value) => onChange(ids, value)}
        />
      </td>
    </tr>
  )
}

/** The workflow run by ComfyUI, and the positions where the values of a call are inserted. */
export function WorkflowFields({
  workflow,
  nodes: nodesText,
  types,
  isLocked,
  onChange,
}: WorkflowFieldsProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const read = readWorkflow(workflow)
  const nodes = typeof read === 'string' ? [] : read
  const places = readPlaces(nodesText)
  const take = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (!file) return
    const text = await file.text()
    const found = readWorkflow(text)
    if (typeof found === 'string') {
      setFault(t(`pictures.settings.workflow.faults.${found}`))
      return
    }
    setFault(null)
    onChange({
      workflow: JSON.stringify(JSON.parse(text), null, 2),
      nodes: writePlaces(guessPlaces(found, types)),
    })
  }
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-2">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <div className="min-w-0 flex-1 basis-56">
            <p className="text-ui font-medium">{t('pictures.settings.workflow.title')}</p>
            <p className="text-small text-pretty text-muted">
              {typeof read === 'string'
                ? t('pictures.settings.workflow.hint')
                : t('pictures.settings.workflow.read', { count: nodes.length })}
            </p>
          </div>
          <input
            ref={input}
            type="file"
            accept=".json,application/json"
            hidden
            data-testid="workflow"
            onChange={(event) => void take(event)}
          />
          <Button
            disabled={isLocked}
            icon={<Upload className="size-4" />}
            onClick={() => input.current?.click()}
          >
            {t('pictures.settings.workflow.upload')}
          </Button>
        </div>
        <FormProblem text={fault} />
        <FoldOut title={t('pictures.settings.workflow.text')}>
          <TextArea
            label={t('pictures.settings.workflow.json')}
            rows={12}
            dir="ltr"
            spellCheck={false}
            disabled={isLocked}
            className="font-mono text-code!"
            error={typeof read === 'string' ? t(`pictures.settings.workflow.faults.${read}`) : null}
            value={workflow}
            onChange={(workflow) => onChange({ workflow })}
          />
        </FoldOut>
      </div>
      {nodes.length > 0 && (
        <table className="w-full table-fixed max-sm:block">
          <caption className="mb-1 text-start text-small text-muted max-sm:block">
            {t('pictures.settings.workflow.places')}
          </caption>
          <tbody className="max-sm:block max-sm:divide-y max-sm:divide-line">
            {types.map((type) => (
              <PlaceRow
                key={type}
                type={type}
                nodes={nodes}
                place={places.find((each) => each.type === type)}
                isLocked={isLocked}
                onChange={(ids, key) =>
                  onChange({ nodes: writePlaces(withPlace(places, type, { key, ids })) })
                }
              />
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
