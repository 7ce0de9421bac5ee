import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  CONNECTION_KIND_NAMES,
  CONNECTION_KINDS,
  type ConnectionKind,
} from '#contract/connection-kinds.ts'
import type { Connection } from '#contract/connections.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { SecretField, TextArea, TextField } from '../../ui/fields/text-field.tsx'
import { fieldsOf } from '../../ui/fields/fields-of.ts'
import { FoldOut } from '../../ui/layout/fold-out.tsx'
import { AccessChoice } from './access-choice.tsx'
import { needsKeyAlone, type ConnectionDraft } from './connection-draft.ts'
import { variableOf } from './connection-name.ts'
import { isKeyRefused } from './connections-store.ts'
import { KeyProtection } from './key-protection.tsx'
import { isRuntime, type ProviderPreset } from './presets.ts'
import { readAddress } from './read-address.ts'

interface FieldsProps {
  readonly draft: ConnectionDraft
  readonly change: (part: Partial<ConnectionDraft>) => void
  readonly existing: Connection | null
}

/** Returns a hint with the resulting URL if it differs from the typed one. */
function addressHint(draft: ConnectionDraft, t: TFunction): string {
  const url = readAddress(draft.url, draft.kind)
  if (url !== '' && url !== draft.url.trim()) return t('connections.usedAs', { url })
  const { isRuntime } = CONNECTION_KINDS[draft.kind]
  return t(isRuntime ? 'connections.runtimeUrlHint' : 'connections.urlHint')
}

/** All kinds of connections, remote providers first. */
const KINDS: readonly ConnectionKind[] = CONNECTION_KIND_NAMES.toSorted(
  (one, other) =>
    Number(CONNECTION_KINDS[one].isRuntime) - Number(CONNECTION_KINDS[other].isRuntime),
)

function KindField({ draft, change, existing }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('connections.kind')}
      value={draft.kind}
      disabled={existing?.origin === 'environment'}
      onChange={(value) => change({ kind: value as ConnectionDraft['kind'] })}
      options={KINDS.map((value) => ({ value, label: t(`connections.kinds.${value}`) }))}
    />
  )
}

function AddressField({ draft, change, existing, hint }: FieldsProps & { hint?: string }) {
  const { t } = useTranslation()
  const isFixed = existing?.origin === 'environment'
  return (
    <TextField
      label={t('connections.url')}
      hint={
        isFixed
          ? t('connections.fixedHint', { variable: variableOf(draft) })
          : (hint ?? addressHint(draft, t))
      }
      inputMode="url"
      autoCapitalize="off"
      required
      disabled={isFixed}
      spellCheck={false}
      placeholder={CONNECTION_KINDS[draft.kind].exampleUrl}
      value={draft.url}
      onChange={(url) => change({ url })}
    />
  )
}

function KindAndAddress(props: FieldsProps) {
  return (
    <>
      <KindField {...props} />
      <AddressField {...props} />
    </>
  )
}

/** True if the end of a stored key tells it from others; short keys are not shown at all. */
const isTelling = (hint: string | null): hint is string => hint !== null && /\w/.test(hint)

function keyHint(existing: Connection | null, t: TFunction): string {
  if (!existing?.has_key) return t('connections.keyHint')
  const hint = existing.key_hint
  if (isKeyRefused(existing))
    return isTelling(hint) ? t('connections.keyToReplace', { hint }) : t('connections.keyReplace')
  return isTelling(hint) ? t('connections.keyKept', { hint }) : t('connections.keyKeptHidden')
}

function KeyField({
  draft,
  change,
  existing,
  preset,
}: FieldsProps & { preset: ProviderPreset | null }) {
  const { t } = useTranslation()
  if (CONNECTION_KINDS[draft.kind].isRuntime) return null
  return (
    <SecretField
      label={t('connections.key')}
      hint={
        <>
          {keyHint(existing, t)}
          <KeyProtection />
          {preset?.keyPage && (
            <>
              {' '}
              <a
                href={preset.keyPage}
                target="_blank"
                rel="noreferrer"
                className="text-accent-strong underline dark:text-accent"
              >
                {t('connections.getKey', { name: preset.name })}
              </a>
            </>
          )}
        </>
      }
      autoComplete="off"
      data-first-focus={existing !== null && isKeyRefused(existing) ? '' : undefined}
      required={needsKeyAlone(preset) && !existing}
      disabled={draft.removeKey}
      value={draft.key}
      onChange={(key) => change({ key })}
    />
  )
}

function RemoveKey({ draft, change, existing }: FieldsProps) {
  const { t } = useTranslation()
  if (!existing?.has_key) return null
  return (
    <Switch
      label={t('connections.removeKey')}
      checked={draft.removeKey}
      onChange={(removeKey) => change({ removeKey })}
    />
  )
}

function NameField({ draft, change }: Omit<FieldsProps, 'existing'>) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('connections.name')}
      hint={t('connections.nameHint')}
      maxLength={100}
      value={draft.name}
      onChange={(name) => change({ name })}
    />
  )
}

/** Transport settings that are specific to the connection. */
function WayFields({ draft, change }: Omit<FieldsProps, 'existing'>) {
  const { t } = useTranslation()
  const { trustedCertificate: chosen } = draft
  return (
    <>
      <Switch
        label={t('connections.useProxy')}
        hint={t('connections.useProxyHint')}
        checked={draft.useProxy}
        onChange={(useProxy) => change({ useProxy })}
      />
      {chosen !== null && (
        <div className="flex flex-col items-start gap-2">
          <p className="text-ui font-medium">{t('connections.trustedCertificate')}</p>
          <p dir="ltr" className="font-mono text-small wrap-anywhere">
            {chosen}
          </p>
          <p className="text-small text-muted">{t('connections.trustedCertificateHint')}</p>
          <Button onClick={() => change({ trustedCertificate: null })}>
            {t('connections.endTrust')}
          </Button>
        </div>
      )}
    </>
  )
}

/**
 * Required fields of a new connection. A known provider needs its key, a self-hosted runtime its
 * URL; the remaining fields are collapsed.
 */
export function NewFields(props: FieldsProps & { preset: ProviderPreset | null }) {
  const { t } = useTranslation()
  const { preset } = props
  if (needsKeyAlone(preset)) {
    return (
      <>
        <KeyField {...props} />
        <FoldOut title={t('connections.nameAndAddress')}>
          <div className="mt-3 flex flex-col gap-4">
            <NameField {...props} />
            <KindAndAddress {...props} />
          </div>
        </FoldOut>
      </>
    )
  }
  if (preset && isRuntime(preset)) {
    return (
      <>
        <AddressField {...props} hint={t('connections.runtimeAt', { name: preset.name })} />
        <FoldOut title={t('connections.nameAndKey')}>
          <div className="mt-3 flex flex-col gap-4">
            <NameField {...props} />
            <KindField {...props} />
            <KeyField {...props} />
          </div>
        </FoldOut>
      </>
    )
  }
  return (
    <>
      <KindAndAddress {...props} />
      <KeyField {...props} />
      <NameField {...props} />
    </>
  )
}

/** Fields that are rarely needed, after those of the form that belong there. */
export function FurtherFields({
  draft,
  change,
  children,
}: Omit<FieldsProps, 'existing'> & { children?: ReactNode }) {
  const { t } = useTranslation()
  const field = fieldsOf(draft, change)
  return (
    <FoldOut title={t('connections.further')}>
      <div className="mt-3 flex flex-col gap-4">
        {children}
        <TextArea
          label={t('connections.models')}
          hint={t('connections.modelsHint')}
          spellCheck={false}
          {...field('models')}
        />
        <TextField
          label={t('connections.prefix')}
          hint={t('connections.prefixHint')}
          pattern="[\w\-]*"
          maxLength={64}
          spellCheck={false}
          {...field('prefix')}
        />
        <TextArea
          label={t('connections.headers')}
          hint={t('connections.headersHint')}
          rows={2}
          spellCheck={false}
          {...field('headers')}
        />
        <TextField
          label={t('connections.timeout')}
          hint={t('connections.timeoutHint')}
          type="number"
          min={1}
          max={3600}
          {...field('timeout')}
        />
        <WayFields draft={draft} change={change} />
        <Switch
          label={t('connections.enabled')}
          hint={t('connections.enabledHint')}
          checked={draft.enabled}
          onChange={(enabled) => change({ enabled })}
        />
      </div>
    </FoldOut>
  )
}

/**
 * Fields of a stored connection, the one to mend first: the key if it was refused, the address if
 * it did not answer.
 */
export function StoredFields({
  existing,
  preset,
  ...fields
}: FieldsProps & { existing: Connection; preset: ProviderPreset | null }) {
  const props = { ...fields, existing }
  const key = <KeyField {...props} preset={preset} />
  const address = <AddressField {...props} />
  const name = <NameField {...fields} />
  const access = (
    <AccessChoice
      value={fields.draft.access}
      onChange={(value) => fields.change({ access: value })}
    />
  )
  const rest = (
    <>
      <KindField {...props} />
      <RemoveKey {...props} />
    </>
  )
  if (isKeyRefused(existing))
    return (
      <>
        {key}
        <FurtherFields {...fields}>
          {name}
          {address}
          {access}
          {rest}
        </FurtherFields>
      </>
    )
  const isAddressFirst =
    existing.state.status === 'failed' || CONNECTION_KINDS[fields.draft.kind].isRuntime
  return (
    <>
      {isAddressFirst ? address : key}
      {isAddressFirst ? key : address}
      {name}
      {access}
      <FurtherFields {...fields}>{rest}</FurtherFields>
    </>
  )
}
