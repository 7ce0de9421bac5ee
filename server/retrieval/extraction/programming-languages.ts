import { ownValue } from '../../lib/json/own-value.ts'

/** Languages by their file extensions, one line each. */
const LANGUAGES = `
typescript ts mts cts tsx
javascript js mjs cjs jsx
python py pyw pyi
java java
kotlin kt kts
scala scala sc
groovy groovy gradle
c c h
cpp cpp cc cxx hpp hh hxx
csharp cs csx
fsharp fs fsx
go go
rust rs
swift swift
objective-c m mm
ruby rb rake gemspec
php php phtml
perl pl pm
lua lua
r r rmd
julia jl
dart dart
haskell hs lhs
elixir ex exs
erlang erl hrl
clojure clj cljs cljc edn
ocaml ml mli
lisp lisp el scm
zig zig
nim nim
v v sv vhd vhdl
assembly asm s
fortran f f90 f95 for
pascal pas pp
cobol cob cbl
basic bas vb vbs
matlab mlx
shell sh bash zsh fish ksh
powershell ps1 psm1 psd1
batch bat cmd
sql sql
graphql graphql gql
protobuf proto
css css scss sass less
vue vue
svelte svelte
astro astro
html-template ejs hbs mustache pug jinja j2 twig liquid erb
latex tex sty cls bib
cmake cmake
makefile mk
dockerfile dockerfile
terraform tf tfvars hcl
nix nix
json json json5 jsonc geojson webmanifest map
jsonl jsonl ndjson
yaml yaml yml
toml toml
ini ini cfg conf properties env editorconfig
xml xml xsd xsl xslt wsdl rss atom kml gpx plist svg resx csproj
diff diff patch
solidity sol
glsl glsl vert frag hlsl wgsl
`

const BY_NAME: Readonly<Record<string, string>> = {
  dockerfile: 'dockerfile',
  makefile: 'makefile',
  gnumakefile: 'makefile',
  'cmakelists.txt': 'cmake',
  rakefile: 'ruby',
  gemfile: 'ruby',
  jenkinsfile: 'groovy',
  '.bashrc': 'shell',
  '.profile': 'shell',
  '.gitignore': 'ini',
  '.env': 'ini',
}

const BY_ENDING = new Map(
  LANGUAGES.trim()
    .split('\n')
    .flatMap((line) => {
      const [language, ...endings] = line.split(' ')
      return endings.map((ending) => [ending, language!] as const)
    }),
)

/** Returns the language of a file by its name, or null if it is no code. */
export function languageOf(filename: string): string | null {
  const name = filename.toLowerCase()
  return ownValue(BY_NAME, name) ?? BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1)) ?? null
}
