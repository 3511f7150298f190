/// The stylesheet of a report. Colours have a contrast of at least 4.5 to 1 in both schemes.
enum ReportStyle {
  static let sheet: HTML = """
    :root {
      color-scheme: light dark;
      --page: #f5f6f8; --card: #fff; --sunk: #f0f2f5; --text: #1b232d; --soft: #566371; --line: #dde2e8;
      --link: #1f5fae; --good: #1c6b42; --good-back: #e3f3ea; --warn: #7a4f00; --warn-back: #fbeed2;
      --bad: #a8261d; --bad-back: #fbe6e4;
      --p0: #2f6db5; --p1: #a14a1f; --p2: #2c7a55; --p3: #8a4a9e; --p4: #8a6400; --p5: #b03a63; --p6: #287384;
      --p7: #5a5fae;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #12161b; --card: #1b2128; --sunk: #232a33; --text: #e5eaf0; --soft: #a0acb9; --line: #313a45;
        --link: #8db8f2; --good: #7fd0a2; --good-back: #1c3428; --warn: #e3bd6c; --warn-back: #382d17;
        --bad: #ff9d94; --bad-back: #3f2220;
        --p0: #7fb0ea; --p1: #eba27c; --p2: #7ccaa0; --p3: #cf9be0; --p4: #dab85c; --p5: #f096b4; --p6: #74c3d4;
        --p7: #a9adf0;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
    body {
      margin: 0; background: var(--page); color: var(--text);
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
    }
    header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
    header { padding-top: 2rem; }
    h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; overflow-wrap: anywhere; }
    h2 { margin: 3rem 0 .25rem; font-size: 1.25rem; }
    h3 { margin: 2rem 0 .75rem; font-size: 1rem; overflow-wrap: anywhere; }
    h2 + h3 { margin-top: 1rem; }
    h4 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
    p { margin: .25rem 0; }
    a { color: var(--link); text-underline-offset: .15em; }
    code {
      font: .87em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
      overflow-wrap: anywhere;
    }
    td, th, code, b, li, h4 { unicode-bidi: isolate; }
    .soft { color: var(--soft); }
    .small { font-size: .87rem; }
    .lead { color: var(--soft); margin-bottom: 1rem; max-width: 46rem; }
    nav { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1.25rem 0 0; }
    nav a {
      display: block; padding: .5rem .9rem; border: 1px solid var(--line); border-radius: .6rem;
      background: var(--card);
      color: var(--text); text-decoration: none;
    }
    nav a:hover { border-color: var(--link); }
    nav b { font-size: 1.15rem; margin-right: .15rem; font-variant-numeric: tabular-nums; }
    .notice {
      margin: 1rem 0; padding: .6rem .9rem; border-radius: .6rem; background: var(--warn-back); color: var(--warn);
    }
    .notice ul { margin: .25rem 0 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
    .empty { padding: 1rem; border: 1px dashed var(--line); border-radius: .6rem; color: var(--soft); }
    .chip {
      display: inline-block; padding: 0 .5rem; border-radius: 1rem; background: var(--sunk); color: var(--soft);
      font-size: .8rem; line-height: 1.45rem; overflow-wrap: anywhere; text-decoration: none; unicode-bidi: isolate;
    }
    .chip.good { background: var(--good-back); color: var(--good); }
    .chip.warn { background: var(--warn-back); color: var(--warn); }
    .chip.bad { background: var(--bad-back); color: var(--bad); }
    .who { color: var(--p); font-weight: 600; overflow-wrap: anywhere; unicode-bidi: isolate; }
    .face {
      display: inline-grid; place-items: center; flex: none; width: 2.25rem; height: 2.25rem; border-radius: 50%;
      border: 2px solid var(--p); color: var(--p); font-weight: 700; line-height: 1; overflow: hidden;
    }
    .p { --p: var(--soft); } .p0 { --p: var(--p0); } .p1 { --p: var(--p1); } .p2 { --p: var(--p2); }
    .p3 { --p: var(--p3); } .p4 { --p: var(--p4); } .p5 { --p: var(--p5); } .p6 { --p: var(--p6); }
    .p7 { --p: var(--p7); }
    .people { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 1rem; }
    .card { background: var(--card); border: 1px solid var(--line); border-radius: .8rem; min-width: 0; }
    .person { padding: 1rem; }
    .person .top { display: flex; gap: .75rem; align-items: center; }
    .person .top > div { min-width: 0; overflow-wrap: anywhere; }
    .person .state { margin: .5rem 0 0; }
    .person dl { display: grid; grid-template-columns: auto 1fr; gap: .3rem .9rem; margin: .8rem 0 0; }
    .person dt { color: var(--soft); }
    .person dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
    .below { margin-top: 1rem; }
    .below table { min-width: 52rem; }
    .scroll { overflow-x: auto; max-width: 100%; -webkit-overflow-scrolling: touch; }
    .graph { padding: 1rem; }
    .graph svg { display: block; width: 100%; min-width: 46rem; max-width: 70rem; height: auto; margin: 0 auto; }
    svg text { fill: var(--text); font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    svg .soft { fill: var(--soft); font-size: 12px; }
    svg .head { fill: var(--soft); font-size: 12px; letter-spacing: .04em; }
    svg .strong { font-weight: 600; }
    svg .centered { text-anchor: middle; transform: translateX(80px); }
    svg .box { fill: var(--card); stroke: var(--line); }
    svg .round { fill: var(--card); stroke: var(--p); stroke-width: 2; }
    svg .face-text { fill: var(--p); font-weight: 700; text-anchor: middle; }
    svg .edge { fill: none; stroke: var(--p); stroke-width: 2; }
    svg .edge.writes { stroke-width: 3; }
    svg .edge.invited { stroke-dasharray: 6 5; }
    svg .edge.removed { stroke: var(--soft); stroke-dasharray: 1 5; stroke-linecap: round; }
    svg .port { fill: var(--p); }
    svg rect.rule { fill: var(--line); }
    .key {
      display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0 0; color: var(--soft); font-size: .87rem;
    }
    .key i {
      display: inline-block; width: 1.8rem; border-top: 2px solid currentcolor; vertical-align: .25em;
      margin-right: .4rem;
    }
    .key i.writes { border-top-width: 3px; } .key i.invited { border-top-style: dashed; }
    .key i.removed { border-top-style: dotted; }
    table { border-collapse: collapse; width: 100%; font-size: .93rem; }
    th, td { padding: .45rem .75rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
    td { min-width: 6rem; }
    thead th { color: var(--soft); font-weight: 500; font-size: .85rem; white-space: nowrap; border-top: 0; }
    tbody th { font-weight: 600; }
    th small { font-weight: 400; color: var(--soft); }
    .records td { min-width: 5rem; max-width: 26rem; }
    .records th { min-width: 7rem; max-width: 18rem; overflow-wrap: anywhere; }
    .value { white-space: pre-wrap; overflow-wrap: anywhere; }
    .records td.nowrap { white-space: nowrap; }
    tr:target > * { background: var(--warn-back); }
    .records img {
      display: block; max-width: 9rem; max-height: 7rem; border-radius: .4rem; border: 1px solid var(--line);
      background: var(--sunk);
    }
    ul.list { margin: 0; padding-left: 1rem; }
    details.zone { margin: .75rem 0; }
    details.zone > summary {
      display: flex; flex-wrap: wrap; gap: .35rem .75rem; align-items: baseline; padding: .75rem 1rem;
      cursor: pointer; list-style: none;
    }
    details.zone > summary::-webkit-details-marker { display: none; }
    details.zone > summary::before { content: "▸"; color: var(--soft); width: .8rem; }
    details.zone[open] > summary::before { content: "▾"; }
    details.zone > summary:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    .type {
      padding: .35rem 1rem; background: var(--sunk); border-top: 1px solid var(--line); font-size: .87rem;
      overflow-wrap: anywhere;
    }
    .more { margin: 0; padding: .6rem 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .87rem; }
    .card > .more:first-child { border-top: 0; }
    .zones { padding: .6rem 1rem; margin: .75rem 0; color: var(--soft); overflow-wrap: anywhere; }
    .sequence { font-size: .87rem; }
    .sequence thead th { text-align: center; white-space: normal; overflow-wrap: anywhere; min-width: 6rem; }
    .sequence thead th:first-child, .sequence thead th:last-child { text-align: left; }
    .sequence td { border-top: 0; vertical-align: middle; }
    .sequence td.time { white-space: nowrap; color: var(--soft); font-variant-numeric: tabular-nums; }
    .sequence td.life {
      position: relative; padding: 0; min-width: 6rem;
      background: linear-gradient(var(--line), var(--line)) center / 2px 100% no-repeat;
    }
    .sequence td.from::before {
      content: ""; position: absolute; left: calc(50% - 5px); top: calc(50% - 5px); width: 10px; height: 10px;
      border-radius: 50%;
      background: var(--p);
    }
    .sequence td.from::after, .sequence td.over::after, .sequence td.to::after {
      content: ""; position: absolute; top: calc(50% - 1px); left: 0; right: 0; border-top: 2px solid var(--p);
    }
    .sequence td.from::after { left: 50%; }
    .sequence td.to::after { right: calc(50% + 9px); }
    .sequence td.to::before {
      content: ""; position: absolute; top: calc(50% - 6px); right: calc(50% + 1px); border: 6px solid transparent;
      border-left: 9px solid var(--p); border-right: 0;
    }
    .sequence .failed td { --p: var(--bad); }
    .sequence .failed td.from::after, .sequence .failed td.over::after, .sequence .failed td.to::after {
      border-top-style: dashed;
    }
    .sequence .failed .what, .sequence .failed .error { color: var(--bad); }
    .sequence td.text { min-width: 16rem; overflow-wrap: anywhere; border-left: 1px solid var(--line); }
    .error { color: var(--bad); overflow-wrap: anywhere; }
    footer { margin-top: 3rem; padding-top: 1rem; padding-bottom: 2.5rem; color: var(--soft); font-size: .87rem; }
    @media (max-width: 40rem) {
      header, main, footer { padding-left: .9rem; padding-right: .9rem; }
      header { padding-top: 1.25rem; }
      h1 { font-size: 1.4rem; }
      h2 { margin-top: 2.25rem; }
      .graph { padding: .75rem; }
    }
    @media print {
      :root { --page: #fff; --card: #fff; }
      body { font-size: 10pt; }
      nav { display: none; }
      .scroll { overflow: visible; }
      .graph svg { min-width: 0; }
      .person, tr, .graph { break-inside: avoid; }
      h2, h3, .type, summary { break-after: avoid; }
      .face, .chip, .type, .sequence td, tr:target > * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
    }
    """
}
