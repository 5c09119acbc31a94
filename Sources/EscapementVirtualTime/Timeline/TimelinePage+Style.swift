extension TimelinePage {
  static let style = """
    :root {
      color-scheme: light dark;
      --ground: #ffffff; --text: #1c1e21; --faint: #6a7078; --line: #dfe2e6; --stripe: #f5f6f8;
      --sleep: #9dbcf0; --wait: #d3d6da; --ready: #f0b44c; --run: #1f8a4c; --cancelled: #d4442f;
      --hold: #b07cd8; --mark: #ffe58a;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #16181b; --text: #e6e8ea; --faint: #9aa1a9; --line: #33383e; --stripe: #1d2024;
        --sleep: #3e65a8; --wait: #484e55; --ready: #c98a22; --run: #4cc27f; --cancelled: #ef6a55;
        --hold: #9a68c4; --mark: #6b5a16;
      }
    }
    * { box-sizing: border-box; }
    body {
      margin: 0; height: 100vh; height: 100dvh; display: flex; flex-direction: column;
      font: 14px/1.4 system-ui, sans-serif; background: var(--ground); color: var(--text);
    }
    header {
      padding: 8px 12px; display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center;
      border-bottom: 1px solid var(--line);
    }
    h1 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
    #summary { margin: 0; color: var(--faint); }
    #tools { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin-left: auto; }
    input[type=search], button {
      font: inherit; color: inherit; background: var(--stripe); border: 1px solid var(--line);
      border-radius: 6px; padding: 3px 9px;
    }
    input[type=search] { width: 210px; max-width: 100%; }
    #view { flex: 1; min-height: 0; overflow-y: auto; overflow-x: hidden; position: relative; outline: none; }
    canvas { position: sticky; top: 0; display: block; touch-action: pan-y; cursor: grab; }
    #failure { color: var(--cancelled); text-align: left; overflow-wrap: anywhere; }
    footer {
      height: 32%; min-height: 168px; display: grid; grid-template-columns: 1fr 1fr; border-top: 1px solid var(--line);
      font: 12.5px/1.5 ui-monospace, monospace;
    }
    footer > div { overflow: auto; padding: 8px 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
    footer > div:empty { display: none; }
    footer > div:has(+ :empty) { grid-column: 1 / -1; }
    #source { border-left: 1px solid var(--line); white-space: pre; overflow-wrap: normal; }
    #detail span, #detail b { cursor: pointer; }
    @media (max-width: 760px) { footer { grid-template-columns: 1fr; height: 45%; grid-auto-rows: 1fr; } }
    footer b { background: var(--mark); font-weight: inherit; }
    footer i { color: var(--faint); font-style: normal; }
    """
}
