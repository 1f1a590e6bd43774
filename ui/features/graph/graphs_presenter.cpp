// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features/graph/graphs_presenter.h"

#include "session/colourings.h"
#include "session/session_presenter.h"

namespace fxs::ui {

Graphs::Graphs(Services& services)
    : program(services),
      first(services),
      second(services),
      pair(program, first, second, services),
      colours(first, services),
      secondColours(second, services) {
  auto& colourings = services.get<Colourings>();
  colourings.add({10, kByKind, "Kind of node"});
  colourings.add({20, kByQuery, "Query"});
  colourings.add({40, kBySize, "Size of the result"});
  QObject::connect(&colourings, &Colourings::markRequested, &colours, &ColourPresenter::mark);
  auto& session = services.get<SessionPresenter>();
  QObject::connect(&session, &SessionPresenter::programChanged, &program,
                   [this, &session] { program.show(session.program(), session.isReadAgain()); });
  const auto colourSecond = [this] {
    if (pair.shown()) secondColours.adopt(colours);
  };
  QObject::connect(&colours, &ColourPresenter::chosen, &secondColours, colourSecond);
  QObject::connect(&pair, &GraphPairPresenter::shownChanged, &secondColours, colourSecond);
  QObject::connect(&secondColours, &ColourPresenter::chosen, &colours,
                   [this] { colours.adopt(secondColours); });
}

}  // namespace fxs::ui
