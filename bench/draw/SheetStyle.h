//===- SheetStyle.h - The colours of pictures -----------------------------===//
#ifndef KFUSE_BENCH_DRAW_SHEETSTYLE_H
#define KFUSE_BENCH_DRAW_SHEETSTYLE_H

namespace kfuse {

/// The style of every picture. Its rules have one class in front, so that a
/// page that has a picture in it isn't changed. Each level and unit has a
/// colour, which its roof and the kernels below it share; all can be told apart
/// by colour-blind people and read on their ground. Variables aren't used,
/// since not all programs that show SVG know them.
constexpr const char *SheetStyle = R"(  <style>
    .kfuse { color: #1f2430; font-family: system-ui, "Segoe UI", Roboto,
             "DejaVu Sans", sans-serif; font-size: 13px }
    .kfuse text { fill: currentColor }
    .kfuse .sheet { fill: #ffffff }
    .kfuse .heading { font-size: 17px; font-weight: 600 }
    .kfuse .quiet { color: #59606e }
    .kfuse .grid { stroke: #e4e7ec; stroke-width: 1; fill: none }
    .kfuse .frame { stroke: #8b93a1; stroke-width: 1; fill: none }
    .kfuse .roof { stroke: currentColor; stroke-width: 1.8; fill: none;
                   stroke-linejoin: round }
    .kfuse .theoretical { stroke-dasharray: 7 5; stroke-width: 1.4 }
    .kfuse .plateau { stroke: currentColor; stroke-width: 7; opacity: 0.3;
                      fill: none }
    .kfuse .ridge { fill: currentColor }
    .kfuse .drop { stroke: currentColor; stroke-dasharray: 1.5 3.5; fill: none }
    .kfuse .halo { stroke: #ffffff; stroke-width: 3.5px;
                   stroke-linejoin: round; paint-order: stroke }
    .kfuse .marker { fill: currentColor; stroke: currentColor;
                     stroke-width: 1.8 }
    .kfuse .hollow { fill: #ffffff }
    .kfuse .arrow { stroke: #8b93a1; stroke-width: 1.3; fill: none }
    .kfuse .arrowhead { fill: #8b93a1 }
    .kfuse .leader { stroke: #8b93a1; stroke-width: 0.8 }
    .kfuse .number { font-size: 11px; font-weight: 700 }
    .kfuse .dram { color: #0067a6 }
    .kfuse .l3 { color: #7d6300 }
    .kfuse .l2 { color: #00775a }
    .kfuse .l1 { color: #a63d7d }
    .kfuse .local { color: #6246a8 }
    .kfuse .unit { color: #b34a00 }
    .kfuse .other { color: #4a5568 }
    .kfuse .unbound { color: #6b7280 }
    .kfuse .above { color: #c4122f; fill: none; stroke: currentColor;
                    stroke-width: 1.6 }
    @media screen and (prefers-color-scheme: dark) {
      .kfuse { color: #e6e8ec }
      .kfuse .sheet, .kfuse .hollow { fill: #14171c }
      .kfuse .halo { stroke: #14171c }
      .kfuse .quiet { color: #a5adba }
      .kfuse .grid { stroke: #272c35 }
      .kfuse .frame, .kfuse .arrow, .kfuse .leader { stroke: #79818f }
      .kfuse .arrowhead { fill: #79818f }
      .kfuse .dram { color: #5cb8f2 }
      .kfuse .l3 { color: #dcb83f }
      .kfuse .l2 { color: #41cfa3 }
      .kfuse .l1 { color: #ec94c6 }
      .kfuse .local { color: #b9a3f5 }
      .kfuse .unit { color: #ff9a4d }
      .kfuse .other { color: #b4bcc8 }
      .kfuse .unbound { color: #9aa2b0 }
      .kfuse .above { color: #ff6b7d }
    }
  </style>
)";

} // namespace kfuse

#endif
