extension HTMLReport {
    /// The page's style sheet; drawings have their own.
    static let style = """
        :root{--ink:#1f2933;--soft:#52606d;--paper:#fff;--line:#e1e6eb;--shade:#f5f7f9;--link:#1d5fb8;\
        --red:#c62828;--pink:#fdecec}
        @media screen and (prefers-color-scheme:dark){
        :root{--ink:#e4e8ec;--soft:#a5b0bb;--paper:#15191e;--line:#2c343c;--shade:#1d232a;--link:#7fb2f5;\
        --red:#ff8080;--pink:#331a1c}
        }
        body{margin:0 auto;max-width:1500px;padding:24px;background:var(--paper);color:var(--ink);\
        font:14px/1.5 \(TextMeasure.family)}
        h1{font-size:22px;margin:0 0 16px}
        a{color:var(--link);text-decoration:none}
        a:hover{text-decoration:underline}
        input[name=show]{position:absolute;opacity:0}
        input[name=show]+label{display:inline-block;padding:3px 14px;margin:0 4px 16px 0;border:1px solid var(--line);\
        border-radius:14px;cursor:pointer;color:var(--soft)}
        input[name=show]:checked+label{background:var(--ink);color:var(--paper)}
        input[name=show]:focus-visible+label{outline:2px solid var(--link);outline-offset:2px}
        #show-passed:checked~details.run:not(.passed),#show-passed:checked~.runs .run:not(.passed),
        #show-failed:checked~details.run:not(.failed),#show-failed:checked~.runs .run:not(.failed),
        #show-skipped:checked~details.run:not(.skipped),#show-skipped:checked~.runs .run:not(.skipped){display:none}
        table{border-collapse:collapse;width:100%}
        th{text-align:left;font-weight:normal;color:var(--soft)}
        td,th{padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
        .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
        span.pill{display:inline-block;min-width:56px;padding:0 8px;border-radius:10px;text-align:center;color:#fff;\
        font-size:12px;font-weight:bold}
        span.pill.passed{background:#2b8a55}
        span.pill.failed{background:#c62828}
        span.pill.skipped{background:#7b8794}
        details.run{margin:16px 0;border:1px solid var(--line);border-radius:8px}
        details.run>summary{padding:10px 14px;cursor:pointer;font-weight:bold;background:var(--shade);border-radius:8px}
        .content{scroll-margin-top:64px}
        details.steps{margin:8px 14px}
        details.steps summary{cursor:pointer;color:var(--soft)}
        .reason{margin:8px 14px;color:var(--soft)}
        .failed-here{margin:12px 14px;padding:8px 14px;border:1px solid var(--red);border-radius:6px;background:var(--pink)}
        .failed-here p{margin:0;color:var(--red)}
        dl{display:grid;grid-template-columns:auto 1fr;gap:0 12px;margin:4px 0 0}
        dt{color:var(--soft)}
        dd{margin:0;overflow-wrap:anywhere}
        .failed-step td{color:var(--red);font-weight:bold}
        .undone td{color:var(--soft)}
        .deep-1{padding-left:20px}
        .deep-2{padding-left:40px}
        .deep-3{padding-left:60px}
        .deep-4{padding-left:80px}
        .drawing{overflow-x:auto;padding:6px 0}
        .drawing svg{display:block;max-width:none}
        @media print{details.run{break-inside:avoid-page}.drawing svg{max-width:100%;height:auto}}

        """
}
