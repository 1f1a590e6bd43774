// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
// The measured support of the selected node's operator: element types as rows, output types as
// columns. The matrices of the engines that were measured are read in the background when a node is
// first selected.
#include <QAbstractTableModel>
#include <functional>
#include <memory>
#include <vector>

#include "session/selection_presenter.h"
#include "session/session_presenter.h"
#include "support/matrix.h"

namespace fxs::ui {

using MatrixPtr = std::shared_ptr<const support::Matrix>;
/// Every matrix that is known, the oldest engine first: sessionMatrices(), or a test double.
using MatrixReader = std::function<std::vector<MatrixPtr>()>;
MatrixReader sessionMatrices(session::Environment environment);

/// Nothing without an operator.
class MeasuredModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum class Standing : std::uint8_t { Unknown, Blocked, Part, Lowers };
  enum { kStandingRole = Qt::UserRole };
  using QAbstractTableModel::QAbstractTableModel;

  /// `op` is of the matrix; null clears the rows.
  void show(MatrixPtr matrix, const support::Operator* op);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex&, int role) const override;
  QVariant headerData(int section, Qt::Orientation, int role) const override;

 private:
  MatrixPtr matrix_;
  const support::Operator* op_ = nullptr;
  std::vector<DType> dtypes_;
};

class MeasuredPresenter final : public QObject {
  Q_OBJECT
 public:
  explicit MeasuredPresenter(Services& services);

  void show(fx::NodeId node);
  MeasuredModel& model() { return model_; }
  /// "aten.gelu.default, engine 2026.10.9: tosa lowers; ..", or why there is nothing; "" without a
  /// call.
  const QString& statement() const { return statement_; }

 Q_SIGNALS:
  void changed();

 private:
  void refresh();
  SessionPresenter& session_;
  MatrixReader reader_;
  fx::NodeId node_;
  std::vector<MatrixPtr> matrices_;
  bool asked_ = false;
  MeasuredModel model_;
  QString statement_;
  Task<std::vector<MatrixPtr>> reading_;
};

}  // namespace fxs::ui
