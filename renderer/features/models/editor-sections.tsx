import '../../lib/strings/model-editor.ts'
import { Braces, ImageUp, Plus, X } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Model } from '#contract/models.ts'
import { Button } from '../../ui/controls/button.tsx'
import { inputClasses } from '../../ui/fields/field.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { Select, SelectBox } from '../../ui/controls/select.tsx'
import { TagsField } from '../../ui/fields/tags-field.tsx'
import { TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { Menu, MenuItem } from '../../ui/floating/menu.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { type ModelDraft, suggestId, withParam } from './model-draft.ts'
import { ModelMark } from '../../ui/marks/model-mark.tsx'
import { ParameterField } from './parameter-field.tsx'
import { CAPABILITIES, PARAMETERS } from './parameters.ts'
import { readPicture } from './read-picture.ts'

interface SectionProps {
  readonly draft: ModelDraft
  readonly onChange: (part: Partial<ModelDraft>) => void
}

/** The picture beside the name, as a button that chooses or removes it. */
function PictureField({ draft, onChange }: SectionProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0]
    event.target.value = ''
    try {
      if (file) onChange({ picture: await readPicture(file) })
    } catch {
      // A file the browser cannot render is not accepted as a picture.
      toast({ tone: 'danger', text: t('modelEditor.editor.noPicture') })
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        onChange={(event) => void read(event)}
      />
      <Menu
        trigger={
          <IconButton
            label={t('modelEditor.editor.picture')}
            className="size-primary! border border-edge/60 pointer-coarse:size-11!"
            icon={
              <ModelMark
                id={draft.id || suggestId(draft.name) || 'new'}
                address={draft.picture}
                className="size-7 rounded-small!"
              />
            }
          />
        }
      >
        <MenuItem icon={<ImageUp />} onSelect={() => input.current?.click()}>
          {t('modelEditor.editor.choosePicture')}
        </MenuItem>
        {draft.picture && (
          <MenuItem icon={<X />} onSelect={() => onChange({ picture: '' })}>
            {t('modelEditor.editor.dropPicture')}
          </MenuItem>
        )}
      </Menu>
    </>
  )
}

interface BasicsProps extends SectionProps {
  /** Models available as a base. */
  readonly bases: readonly Model[]
}

/** Name, base model and instructions: all that a model of one's own needs. */
export function BasicsSection({ draft, onChange, bases }: BasicsProps) {
  const { t } = useTranslation()
  const field = fieldsOf(draft, onChange)
  const isKnown = draft.baseId === '' || bases.some(({ id }) => id === draft.baseId)
  const options = [
    ...(draft.baseId === '' ? [{ value: '', label: t('modelEditor.editor.chooseBase') }] : []),
    ...(isKnown ? [] : [{ value: draft.baseId ?? '', label: draft.baseId ?? '' }]),
    ...bases.map(({ id, name, connection_name }) => ({
      value: id,
      label: `${name} · ${connection_name}`,
    })),
  ]
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label={t('modelEditor.editor.name')}
            required
            maxLength={500}
            autoComplete="off"
            {...field('name')}
          />
        </div>
        <PictureField draft={draft} onChange={onChange} />
      </div>
      {draft.baseId !== null && (
        <Select
          label={t('modelEditor.editor.base')}
          hint={t('modelEditor.editor.baseHint')}
          required
          options={options}
          value={draft.baseId}
          onChange={(baseId) => onChange({ baseId })}
        />
      )}
      <TextArea
        label={t('modelEditor.editor.instructions')}
        hint={t('modelEditor.editor.instructionsText')}
        placeholder={t('modelEditor.editor.instructionsExample')}
        rows={7}
        {...field('system')}
      />
    </div>
  )
}

interface DetailsProps extends SectionProps {
  readonly isNew: boolean
  /** The id it gets if none is typed. */
  readonly suggestedId: string
  readonly onJson: () => void
}

/** Fields that most models do without, behind one line. */
export function DetailsSection({ draft, onChange, isNew, suggestedId, onJson }: DetailsProps) {
  const { t } = useTranslation()
  const field = fieldsOf(draft, onChange)
  return (
    <div className="mt-4 mb-10">
      <FoldOut
        title={t('modelEditor.editor.details')}
        isOpen={draft.description !== '' || draft.tags.length > 0}
      >
        <div className="mt-3 flex flex-col gap-5">
          <TextArea
            label={t('modelEditor.editor.description')}
            rows={2}
            {...field('description')}
          />
          <TagsField
            label={t('models.tags')}
            hint={t('modelEditor.editor.tagsHint')}
            tags={draft.tags}
            onChange={(tags) => onChange({ tags })}
          />
          <TextField
            label={t('modelEditor.editor.id')}
            hint={isNew ? t('modelEditor.editor.idHint') : undefined}
            readOnly={!isNew}
            maxLength={256}
            autoComplete="off"
            spellCheck={false}
            placeholder={draft.name.trim() ? suggestedId : undefined}
            {...field('id')}
          />
          <Button icon={<Braces className="size-4" />} onClick={onJson} className="self-start">
            {t('models.json.open')}
          </Button>
        </div>
      </FoldOut>
    </div>
  )
}

/** Generation parameters; unset ones are left to the model. */
export function ParametersSection({ draft, onChange }: SectionProps) {
  const { t } = useTranslation()
  const [showsAll, setShowsAll] = useState(false)
  const first = PARAMETERS.slice(0, 4)
  const shown = showsAll
    ? PARAMETERS
    : PARAMETERS.filter((row) => first.includes(row) || draft.params[row.name] !== undefined)
  return (
    <PageSection title={t('modelEditor.editor.params')} text={t('modelEditor.editor.paramsText')}>
      <div className="divide-y divide-line border-y border-line">
        {shown.map((row) => (
          <ParameterField
            key={row.name}
            row={row}
            value={draft.params[row.name]}
            onChange={(value) => onChange({ params: withParam(draft.params, row.name, value) })}
          />
        ))}
      </div>
      <Button
        tone="quiet"
        className="mt-2 -ms-3"
        aria-expanded={showsAll}
        onClick={() => setShowsAll(!showsAll)}
      >
        {showsAll ? t('modelEditor.editor.fewerParams') : t('modelEditor.editor.moreParams')}
      </Button>
    </PageSection>
  )
}

/** Features the UI may offer with this model. */
export function CapabilitiesSection({ draft, onChange }: SectionProps) {
  const { t } = useTranslation()
  const change = (name: string, choice: string): void => {
    const { [name]: _before, ...others } = draft.capabilities
    onChange({ capabilities: choice === '' ? others : { ...others, [name]: choice === 'yes' } })
  }
  const choices = [
    { value: '', label: t('models.params.notSet') },
    { value: 'yes', label: t('modelEditor.editor.yes') },
    { value: 'no', label: t('modelEditor.editor.no') },
  ]
  const toChoice = (flag: boolean | undefined): string =>
    flag === undefined ? '' : flag ? 'yes' : 'no'
  return (
    <PageSection
      title={t('modelEditor.editor.capabilities')}
      text={t('modelEditor.editor.capabilitiesText')}
    >
      <ul className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {CAPABILITIES.map((name) => (
          <li key={name}>
            <label className="flex items-center justify-between gap-3">
              <span className="min-w-0">{t(`models.capabilities.${name}`)}</span>
              <SelectBox
                isNarrow
                value={toChoice(draft.capabilities[name])}
                options={choices}
                onChange={(value) => change(name, value)}
                className="h-control! w-28!"
              />
            </label>
          </li>
        ))}
      </ul>
    </PageSection>
  )
}

/** Suggested questions for an empty chat. */
export function SuggestionsSection({ draft, onChange }: SectionProps) {
  const { t } = useTranslation()
  const { suggestions } = draft
  const put = (place: number, text: string | null): void =>
    onChange({
      suggestions: suggestions.flatMap((each, at) =>
        at === place ? (text === null ? [] : [text]) : [each],
      ),
    })
  return (
    <PageSection
      title={t('modelEditor.editor.suggestions')}
      text={t('modelEditor.editor.suggestionsText')}
    >
      <div className="flex flex-col items-start gap-2">
        {suggestions.map((text, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- suggestions have no other key than their index
          <div key={place} className="flex w-full items-center gap-1">
            <input
              aria-label={t('modelEditor.editor.suggestion', { number: place + 1 })}
              value={text}
              dir="auto"
              autoComplete="off"
              onChange={(event) => put(place, event.target.value)}
              className={inputClasses}
            />
            <IconButton
              label={t('modelEditor.editor.dropSuggestion', { number: place + 1 })}
              icon={<X />}
              onClick={() => put(place, null)}
            />
          </div>
        ))}
        <Button
          icon={<Plus className="size-4" />}
          onClick={() => onChange({ suggestions: [...suggestions, ''] })}
        >
          {t('modelEditor.editor.addSuggestion')}
        </Button>
      </div>
    </PageSection>
  )
}
