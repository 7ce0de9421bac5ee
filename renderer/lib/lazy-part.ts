import { lazy, type ComponentType } from 'react'

type Props<Part> = Part extends ComponentType<infer Given> ? Given : never

/** Returns a component of a file that is loaded when the component is first shown. */
export const lazyPart = <File, Name extends keyof File>(load: () => Promise<File>, name: Name) =>
  lazy(async () => ({ default: (await load())[name] as ComponentType<Props<File[Name]>> }))
