/** Names of the values of a form that are texts, or one of a few texts. */
type TextName<Draft> = {
  [Name in keyof Draft]-?: Draft[Name] extends string ? Name : never
}[keyof Draft]

/**
 * Connects the fields of a form to its values: `field('name')` returns the value and the change
 * handler of the field for `draft.name`.
 */
export const fieldsOf =
  <Draft extends object>(draft: Draft, change: (values: Partial<Draft>) => void) =>
  <Name extends TextName<Draft>>(name: Name) => ({
    value: draft[name] as Draft[Name] & string,
    onChange: (text: string): void => change({ [name]: text } as unknown as Partial<Draft>),
  })
